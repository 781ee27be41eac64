/* Lasso as a process for SPIN: one atomic block per step.
   Made by gsmc VERSION from Lasso (instances Text 1; agents wilma, edgar, AutoAgent).
   The v_ variables are the snapshot, each with its name in the model beside it; model.pml.names.json has all names.
   Run by hand, NAME being the name of a claim below (leave -N out where there is only one):
     spin -a -o2 -o3 model.pml && gcc -O0 -w -DNOREDUCE -DVECTORSZ=2048 -o pan pan.c && ./pan -a -n -m1000000 -N NAME
     spin -t -T model.pml      shows the run that was found: action, payload and snapshot after each step */

/* Actions: who does what where */
#define a_wilma_Create_Text_at_Text_1 1
#define a_wilma_Submit_at_Text_1 2
#define a_edgar_Accept_at_Text_1 3
#define a_edgar_SendBack_at_Text_1 4

/* Text[1] */
bool v_Text_1_created = 0;  /* Text[1].created */
bool v_Text_1_Editing = 0;  /* Text[1].Editing */
bool v_Text_1_Accepted = 0;  /* Text[1].Accepted */
bool v_Text_1_SentBack = 0;  /* Text[1].SentBack */

/* The whole system */
bool v_overflow = 0;  /* overflow */

/* What the claims speak of: functions of the snapshot, kept up to date */
bool q1 = 0;  /* (v_Text_1_created && v_Text_1_Accepted) */
bool q2 = 0;  /* (v_Text_1_created && v_Text_1_SentBack) */

/* Values before the step and parts of conditions: not part of the state */
hidden int old_v_Text_1_Editing;
hidden int old_v_Text_1_Accepted;
hidden int old_v_Text_1_SentBack;

active proctype system_() {
  byte c_action;
  do
  :: atomic {
    /* The choice: who does what where, with which payload */
    if
    /* wilma: Create_Text at Text[1] */
    :: ! v_Text_1_created -> c_action = a_wilma_Create_Text_at_Text_1
    /* wilma: Submit at Text[1] */
    :: (v_Text_1_created && ! v_Text_1_Editing && ! v_Text_1_Accepted) -> c_action = a_wilma_Submit_at_Text_1
    /* edgar: Accept at Text[1] */
    :: (v_Text_1_created && v_Text_1_Editing) -> c_action = a_edgar_Accept_at_Text_1
    /* edgar: SendBack at Text[1] */
    :: (v_Text_1_created && v_Text_1_Editing) -> c_action = a_edgar_SendBack_at_Text_1
    :: else -> skip  /* nobody can act */
    fi;
    /* What happens */
    if
    :: c_action == a_wilma_Create_Text_at_Text_1 ->  /* Create_Text at Text[1] */
      d_step {
        v_Text_1_created = 1;  /* Text[1].created */
        skip
      }
    :: c_action == a_wilma_Submit_at_Text_1 ->  /* Submit at Text[1] */
      d_step {
        old_v_Text_1_Editing = v_Text_1_Editing;
        old_v_Text_1_Accepted = v_Text_1_Accepted;
        old_v_Text_1_SentBack = v_Text_1_SentBack;
        v_Text_1_Editing = v_Text_1_Editing || ((! old_v_Text_1_Editing && v_Text_1_created) && ! old_v_Text_1_Accepted);  /* PAC-1 Editing/HandedIn: Text[1].Editing := true */
        v_Text_1_Accepted = v_Text_1_Accepted && !(old_v_Text_1_Accepted && (! old_v_Text_1_Editing && v_Text_1_Editing));  /* PAC-4 Accepted: Text[1].Accepted := false */
        v_Text_1_Editing = v_Text_1_Editing && !(old_v_Text_1_Editing && (! old_v_Text_1_Accepted && v_Text_1_Accepted));  /* PAC-5 Editing/Accepted: Text[1].Editing := false */
        v_Text_1_SentBack = v_Text_1_SentBack && !(old_v_Text_1_SentBack && (! old_v_Text_1_Editing && v_Text_1_Editing));  /* PAC-4 SentBack: Text[1].SentBack := false */
        v_Text_1_Editing = v_Text_1_Editing && !(old_v_Text_1_Editing && (! old_v_Text_1_SentBack && v_Text_1_SentBack));  /* PAC-5 Editing/SentBack: Text[1].Editing := false */
        skip
      }
    :: c_action == a_edgar_Accept_at_Text_1 ->  /* Accept at Text[1] */
      d_step {
        old_v_Text_1_Editing = v_Text_1_Editing;
        old_v_Text_1_Accepted = v_Text_1_Accepted;
        old_v_Text_1_SentBack = v_Text_1_SentBack;
        v_Text_1_Accepted = v_Text_1_Accepted || old_v_Text_1_Editing;  /* PAC-2 Accepted/GoodEnough: Text[1].Accepted := true */
        v_Text_1_Editing = v_Text_1_Editing && !(old_v_Text_1_Editing && (! old_v_Text_1_Accepted && v_Text_1_Accepted));  /* PAC-5 Editing/Accepted: Text[1].Editing := false */
        v_Text_1_SentBack = v_Text_1_SentBack && !(old_v_Text_1_SentBack && (! old_v_Text_1_Editing && v_Text_1_Editing));  /* PAC-4 SentBack: Text[1].SentBack := false */
        v_Text_1_Editing = v_Text_1_Editing && !(old_v_Text_1_Editing && (! old_v_Text_1_SentBack && v_Text_1_SentBack));  /* PAC-5 Editing/SentBack: Text[1].Editing := false */
        skip
      }
    :: c_action == a_edgar_SendBack_at_Text_1 ->  /* SendBack at Text[1] */
      d_step {
        old_v_Text_1_Editing = v_Text_1_Editing;
        old_v_Text_1_SentBack = v_Text_1_SentBack;
        v_Text_1_SentBack = v_Text_1_SentBack || old_v_Text_1_Editing;  /* PAC-2 SentBack/NotYet: Text[1].SentBack := true */
        v_Text_1_Editing = v_Text_1_Editing && !(old_v_Text_1_Editing && (! old_v_Text_1_SentBack && v_Text_1_SentBack));  /* PAC-5 Editing/SentBack: Text[1].Editing := false */
        skip
      }
    :: else -> skip
    fi;
    d_step {  /* what the claims speak of */
      q1 = (v_Text_1_created && v_Text_1_Accepted);
      q2 = (v_Text_1_created && v_Text_1_SentBack);
      skip
    };
    d_step {
      printf("@S %d %d %d %d %d %d\n", c_action, v_Text_1_created, v_Text_1_Editing, v_Text_1_Accepted, v_Text_1_SentBack, v_overflow);
      c_action = 0;
      skip
    }
  }
  od
}

/* comes-in-the-end: AF exists x : Text (x.Accepted) */
ltl l_comes_in_the_end { (<> q1) }

/* comes-in-the-end-ltl: LTL F exists x : Text (x.Accepted) */
ltl l_comes_in_the_end_ltl { (<> q1) }

/* accepted-or-round-and-round: LTL (F exists x : Text (x.Accepted)) || (G F exists x : Text (x.SentBack)) */
ltl l_accepted_or_round_and_round { ((<> q1) || ([] (<> q2))) }
