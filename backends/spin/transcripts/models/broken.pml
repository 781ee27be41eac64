byte v_n;
active proctype system_() { do :: atomic { v_m = 1 } od }
