// Ann
local_sum += row_A[col] * x[col];
