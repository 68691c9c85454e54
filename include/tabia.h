/* Tabia: checked, proved and fast games from their rules.

   This is the whole public face of libtabia.  Every type is opaque and every name begins with
   tabia_; what is not here is not promised. */
#ifndef TABIA_H
#define TABIA_H

#ifdef __cplusplus
extern "C" {
#endif

#define TABIA_API __attribute__((visibility("default")))

/* "MAJOR.MINOR.PATCH" of the library in use; never freed. */
TABIA_API const char *tabia_version(void);

#ifdef __cplusplus
}
#endif

#endif
