/* Memory of a Python object for other array packages, by DLPack
   (https://dmlc.github.io/dlpack/latest/): both of its structures, that of before version 1 and that
   of version 1. */
#ifndef TABIA_DLPACK_H
#define TABIA_DLPACK_H

#include <stdbool.h>
#include <stdint.h>

/* What is handed on.  `owner`, a PyObject, stays alive until the one who takes it is done. */
typedef struct tabia_tensor {
  void *owner;
  void *data;
  uint8_t code, bits; /* of DLPack's types */
  int32_t dimensions;
  const int64_t *shape, *strides;     /* in elements */
  bool is_read_only, is_copied;       /* can be told by version 1 alone */
  int32_t device_type, device_number; /* of DLPack; type 0: memory of the processor */
} tabia_tensor;

/* What a capsule is to hold; NULL: there is no memory. */
void *tabia_dlpack_new(const tabia_tensor *tensor, bool is_versioned);
/* The destructor of such a capsule, a PyObject: gives back what nobody has taken. */
void tabia_dlpack_forget(void *capsule);

#endif
