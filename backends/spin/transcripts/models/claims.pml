byte v_n; bool q1, q2;
active proctype system_() { do :: atomic { if :: v_n < 3 -> v_n++ :: v_n = 0 fi; d_step { q1 = (v_n == 3); q2 = (v_n == 9); skip } } od }
ltl l_never { ([] (!q1)) }
ltl l_always_below { ([] (!q2)) }
