byte v_n;
active proctype system_() { do :: atomic { v_n < 3 -> v_n++ } od }
