// Appended to the scaffold, in the same translation unit, when the host half of a program is built: it gives the
// grader one C entry point whatever the exercise's own launcher looks like.
//
//   buffers  device pointers in the order of exercise.yaml's `buffers`; a null pointer for an absent buffer
//   sizes    in the order of exercise.yaml's `sizes`
//   blocks   0: through the exercise's own launcher; otherwise the kernel with that many blocks
//
// Naming the kernel here also instantiates the template, so that its code is in the binary.
extern "C" void harness_launch(void* const* buffers, const int* sizes, int blocks, cudaStream_t stream) {
    const float* A = static_cast<const float*>(buffers[0]);
    const float* x = static_cast<const float*>(buffers[1]);
    const float* bias = static_cast<const float*>(buffers[2]);
    float* y = static_cast<float*>(buffers[3]);
    const int M = sizes[0];
    const int N = sizes[1];
    if (blocks == 0) {
        launch_gemv(A, x, bias, y, M, N, stream);
    } else {
        gemv_kernel<256><<<blocks, 256, 0, stream>>>(A, x, bias, y, M, N);
    }
}
