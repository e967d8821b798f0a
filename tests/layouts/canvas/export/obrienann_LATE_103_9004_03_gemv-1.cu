// Ann new
local_sum += row_A[col] * x[col];
