// 李四
local_sum += row_A[col] * x[col];
