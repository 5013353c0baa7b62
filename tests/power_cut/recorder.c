/* Loaded before the C library (LD_PRELOAD): notes what is written, cut, flushed, made and removed
 * in the folder $SYLVE_WATCH, in order, in the file $SYLVE_RECORD; then does it.
 *
 * Each note is: one letter, the length of the path (4 bytes), the offset (8), the length of the
 * data (8), the path, the data. Letters: c made, w written, t cut to the offset, s flushed,
 * d folder flushed, u removed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static int record = -1;
static const char *watch;

static int watched(const char *path) {
    if (record < 0) {
        const char *name = getenv("SYLVE_RECORD");
        watch = getenv("SYLVE_WATCH");
        if (!name || !watch) return 0;
        record = syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (record < 0) abort();
    }
    return strncmp(path, watch, strlen(watch)) == 0;
}

static void note(char what, const char *path, uint64_t offset, const void *data, uint64_t size) {
    char head[21];
    uint32_t length = strlen(path);
    head[0] = what;
    memcpy(head + 1, &length, 4);
    memcpy(head + 5, &offset, 8);
    memcpy(head + 13, &size, 8);
    struct iovec parts[3] = {{head, sizeof head}, {(void *)path, length}, {(void *)data, size}};
    if (syscall(SYS_writev, record, parts, 3) != (long)(sizeof head + length + size)) abort();
}

/* The path of an open file, if it is in the folder. */
static int behind(int file, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return watched(path);
}

#define REAL(name) static __typeof__(name) *real; if (!real) real = dlsym(RTLD_NEXT, #name)

#define OPEN(name)                                                   \
    int name(const char *path, int flags, ...) {                     \
        REAL(name);                                                  \
        va_list rest;                                                \
        va_start(rest, flags);                                       \
        mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;    \
        va_end(rest);                                                \
        struct stat facts;                                           \
        int is_new = flags & O_CREAT && watched(path) && stat(path, &facts) != 0; \
        int file = real(path, flags, mode);                          \
        if (file >= 0 && is_new) note('c', path, 0, "", 0);          \
        return file;                                                 \
    }
OPEN(open)
OPEN(open64)

#define PWRITE(name, kind)                                           \
    ssize_t name(int file, const void *data, size_t size, kind offset) { \
        REAL(name);                                                  \
        char path[PATH_MAX];                                         \
        ssize_t done = real(file, data, size, offset);               \
        if (done > 0 && behind(file, path)) note('w', path, offset, data, done); \
        return done;                                                 \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t write(int file, const void *data, size_t size) {
    REAL(write);
    char path[PATH_MAX];
    int known = behind(file, path);
    ssize_t done = real(file, data, size);
    if (done > 0 && known) note('w', path, lseek(file, 0, SEEK_CUR) - done, data, done);
    return done;
}

#define TRUNCATE(name, kind)                                         \
    int name(int file, kind size) {                                  \
        REAL(name);                                                  \
        char path[PATH_MAX];                                         \
        int code = real(file, size);                                 \
        if (!code && behind(file, path)) note('t', path, size, "", 0); \
        return code;                                                 \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define SYNC(name)                                                   \
    int name(int file) {                                             \
        REAL(name);                                                  \
        char path[PATH_MAX];                                         \
        struct stat facts;                                           \
        int code = real(file);                                       \
        if (!code && behind(file, path) && !fstat(file, &facts))     \
            note(S_ISDIR(facts.st_mode) ? 'd' : 's', path, 0, "", 0); \
        return code;                                                 \
    }
SYNC(fsync)
SYNC(fdatasync)

int unlink(const char *path) {
    REAL(unlink);
    int code = real(path);
    if (!code && watched(path)) note('u', path, 0, "", 0);
    return code;
}
