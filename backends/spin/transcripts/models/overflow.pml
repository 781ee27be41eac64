byte v_a[1200]; bool q1;
active proctype system_() { do :: atomic { v_a[1199] = 300; v_a[7]++; q1 = (v_a[7] == 9) } od }
ltl l_never { ([] (!q1)) }
