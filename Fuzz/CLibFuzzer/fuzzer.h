#include <stddef.h>
#include <stdint.h>

/// libFuzzer's own main: it reads its options from the arguments and calls `target` without end.
int LLVMFuzzerRunDriver(
    int *argumentCount, char ***arguments, int (*target)(const uint8_t *bytes, size_t count));
