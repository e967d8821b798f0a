--- 03_gemv.cu
+++ 03_gemv.cu
@@ -78,3 +78,3 @@
-        local_sum += ______;
+        local_sum += row_A[col] * x[col];
