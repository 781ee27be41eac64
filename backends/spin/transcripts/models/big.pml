int v_a, v_b; bool q1;
active proctype system_() { do :: atomic { if :: v_a++ :: v_b++ fi; q1 = (v_a == 0-1) } od }
ltl l_never { ([] (!q1)) }
