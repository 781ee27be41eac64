/* {{ source }} as a process for SPIN: one atomic block per step.
   Made by gsmc {{ version }} from {{ made_from }}.
   The v_ variables are the snapshot, each with its name in the model beside it; model.pml.names.json has all names.
   Run by hand, NAME being the name of a claim below (leave -N out where there is only one):
     spin -a -o2 -o3 model.pml && gcc -O0 -w -DNOREDUCE -DVECTORSZ=2048 -o pan pan.c && ./pan -a -n -m1000000 -N NAME
     spin -t -T model.pml      shows the run that was found: action, payload and snapshot after each step */
{%- if !values.is_empty() %}

/* Values of enumerations and texts */
{%- for (name, code) in values %}
#define {{ name }} ({{ code }})
{%- endfor %}
{%- endif %}
{%- if !actions.is_empty() %}

/* Actions: who does what where */
{%- for (name, code) in actions %}
#define {{ name }} {{ code }}
{%- endfor %}
{%- endif %}
{%- for s in sections %}

/* {{ s.title }} */
{%- for v in s.vars %}
{{ v.ty }} {{ v.name }} = {{ v.init }};  /* {{ v.remark }} */
{%- endfor %}
{%- endfor %}
{%- if !atoms.is_empty() %}

/* What the claims speak of: functions of the snapshot, kept up to date */
{%- for a in atoms %}
{{ a.ty }} {{ a.name }} = {{ a.init }};  /* {{ a.remark }} */
{%- endfor %}
{%- endif %}
{%- if stuck %}

bool g_stuck;  /* nobody could act */
{%- endif %}
{%- if !scratch.is_empty() %}

/* Values before the step and parts of conditions: not part of the state */
{%- for s in scratch %}
hidden int {{ s }};
{%- endfor %}
{%- endif %}

active proctype system_() {
  {{ act_type }} {{ act }};
{%- for (ty, name) in payload %}
  {{ ty }} {{ name }};
{%- endfor %}
  do
  :: atomic {
    /* The choice: who does what where, with which payload */
    if
{%- for o in offers %}
    /* {{ o.remark }} */
{%- for w in o.ways %}
    :: {{ w.guard }} -> {{ w.sets }}
{%- for (name, values) in o.free %};
       if {% for v in values %}:: {{ name }} = {{ v }} {% endfor %}fi
{%- endfor %}
{%- endfor %}
{%- endfor %}
    {{ idle }}
    fi;
    /* What happens */
    if
{%- for h in happens %}
    :: {{ h.when }} ->  /* {{ h.title }} */
{%- for b in h.blocks %}
      d_step {
{%- for l in b %}
        {{ l.code }};{% if !l.remark.is_empty() %}  /* {{ l.remark }} */{% endif %}
{%- endfor %}
        skip
      }{% if !loop.last %};{% endif %}
{%- endfor %}
{%- endfor %}
    :: else -> skip
    fi;
{%- if !updates.is_empty() %}
    /* The sender's private variables */
    if
{%- for h in updates %}
    :: {{ h.when }} ->  /* {{ h.title }} */
{%- for b in h.blocks %}
      d_step {
{%- for l in b %}
        {{ l.code }};{% if !l.remark.is_empty() %}  /* {{ l.remark }} */{% endif %}
{%- endfor %}
        skip
      }{% if !loop.last %};{% endif %}
{%- endfor %}
{%- endfor %}
    :: else -> skip
    fi;
{%- endif %}
{%- for b in atom_code %}
    d_step {  /* what the claims speak of */
{%- for l in b %}
      {{ l.code }};
{%- endfor %}
      skip
    };
{%- endfor %}
    d_step {
{%- for p in prints %}
      {{ p }};
{%- endfor %}
{%- for r in resets %}
      {{ r }} = 0;
{%- endfor %}
      skip
    }
  }
  od
}
{%- for c in claims %}

/* {{ c.comment }} */
{{ c.text }}
{%- endfor %}

