/* What the release's libraries call although the oldest C library that it runs with does not have it.
   On every system the program uses these, so that what runs on an old one is what was tested. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Since glibc 2.33 functions; before that inline around others. The kernel's structure is the C
   library's on machines of 64 bits. */
_Static_assert(sizeof(long) == 8, "stat of the kernel is stat of the C library");

int fstatat(int folder, const char *restrict path, struct stat *restrict into, int flags) {
    return (int)syscall(SYS_newfstatat, folder, path, into, flags);
}

int stat(const char *restrict path, struct stat *restrict into) {
    return fstatat(AT_FDCWD, path, into, 0);
}

int lstat(const char *restrict path, struct stat *restrict into) {
    return fstatat(AT_FDCWD, path, into, AT_SYMLINK_NOFOLLOW);
}

int fstat(int descriptor, struct stat *into) {
    return fstatat(descriptor, "", into, AT_EMPTY_PATH);
}

/* The names under which a caller with large files asks for the same. */
#define SAME(name) __attribute__((alias(#name)))
struct stat64;
int fstatat64(int, const char *restrict, struct stat64 *restrict, int) SAME(fstatat);
int stat64(const char *restrict, struct stat64 *restrict) SAME(stat);
int lstat64(const char *restrict, struct stat64 *restrict) SAME(lstat);
int fstat64(int, struct stat64 *) SAME(fstat);

/* Since 2.32. The C++ library may leave out atomic instructions while this is true. */
char __libc_single_threaded = 0;

/* Since 2.35: where the tables are that unwind an address. The program has none. */
int _dl_find_object(void *address, void *result) {
    (void)address;
    (void)result;
    return -1;
}

/* Before 2.34 the C library left calling the program's initializers to code that was linked into each
   program, which this system's start files no longer have. Newer ones call what they are given, too. */
typedef int main_function(int, char **, char **);
typedef void initializer(int, char **, char **);
extern initializer *__preinit_array_start[] __attribute__((visibility("hidden")));
extern initializer *__preinit_array_end[] __attribute__((visibility("hidden")));
extern initializer *__init_array_start[] __attribute__((visibility("hidden")));
extern initializer *__init_array_end[] __attribute__((visibility("hidden")));
extern void _init(void) __attribute__((visibility("hidden")));

static void initialize(int count, char **arguments, char **environment) {
    for (initializer **each = __preinit_array_start; each < __preinit_array_end; ++each)
        (*each)(count, arguments, environment);
    _init();
    for (initializer **each = __init_array_start; each < __init_array_end; ++each)
        (*each)(count, arguments, environment);
}

int __real___libc_start_main(main_function *, int, char **, initializer *, void (*)(void),
                             void (*)(void), void *);

int __wrap___libc_start_main(main_function *body, int count, char **arguments, initializer *init,
                             void (*fini)(void), void (*unload)(void), void *stack) {
    (void)init;
    return __real___libc_start_main(body, count, arguments, initialize, fini, unload, stack);
}
