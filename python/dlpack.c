#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030b0000
#endif
#include <Python.h>

#include "dlpack.h"

#include <stdlib.h>
#include <string.h>

/* ---- DLPack's structures ---- */

enum { ON_CPU = 1, IS_READ_ONLY = 1, IS_COPIED = 2 };

typedef struct dl_tensor {
  void *data;
  int32_t device_type, device_number;
  int32_t dimensions;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t byte_offset;
} dl_tensor;

typedef struct dl_plain {
  dl_tensor tensor;
  void *context;
  void (*deleter)(struct dl_plain *self);
} dl_plain;

typedef struct dl_versioned {
  uint32_t major, minor;
  void *context;
  void (*deleter)(struct dl_versioned *self);
  uint64_t flags;
  dl_tensor tensor;
} dl_versioned;

/* ---- ours: one of them, its owner, its shape and its strides ---- */

typedef struct handed_on {
  union {
    dl_plain plain;
    dl_versioned versioned;
  } as;
  PyObject *owner;
  int64_t numbers[];
} handed_on;

/* Any thread may be done with it, also when Python is. */
static void give_back(handed_on *h) {
  if (Py_IsInitialized()) {
    const PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF(h->owner);
    PyGILState_Release(state);
  }
  free(h);
}

static void delete_plain(dl_plain *self) { give_back((handed_on *)self); }
static void delete_versioned(dl_versioned *self) { give_back((handed_on *)self); }

static dl_tensor tensor_of(const tabia_tensor *t, int64_t *numbers) {
  const size_t bytes = (size_t)t->dimensions * sizeof *numbers;
  if (bytes) {
    memcpy(numbers, t->shape, bytes);
    memcpy(numbers + t->dimensions, t->strides, bytes);
  }
  return (dl_tensor){.data = t->data,
                     .device_type = t->device_type ? t->device_type : ON_CPU,
                     .device_number = t->device_number,
                     .dimensions = t->dimensions,
                     .code = t->code,
                     .bits = t->bits,
                     .lanes = 1,
                     .shape = numbers,
                     .strides = numbers + t->dimensions};
}

static void keep_owner(handed_on *h, void *owner) {
  const PyGILState_STATE state = PyGILState_Ensure();
  h->owner = (PyObject *)owner;
  Py_INCREF(h->owner);
  PyGILState_Release(state);
}

void *tabia_dlpack_new(const tabia_tensor *t, bool is_versioned) {
  handed_on *h = (handed_on *)calloc(1, sizeof *h + 2 * (size_t)t->dimensions * sizeof *h->numbers);
  if (!h) return NULL;
  const dl_tensor tensor = tensor_of(t, h->numbers);
  if (is_versioned)
    h->as.versioned = (dl_versioned){.major = 1,
                                     .deleter = delete_versioned,
                                     .flags = (t->is_read_only ? IS_READ_ONLY : 0) |
                                              (t->is_copied ? IS_COPIED : 0),
                                     .tensor = tensor};
  else
    h->as.plain = (dl_plain){.tensor = tensor, .deleter = delete_plain};
  keep_owner(h, t->owner);
  return h;
}

/* Who takes it gives the capsule another name. */
void tabia_dlpack_forget(void *capsule) {
  static const char *const names[] = {"dltensor", "dltensor_versioned"};
  for (int i = 0; i < 2; i++)
    if (PyCapsule_IsValid((PyObject *)capsule, names[i]))
      give_back((handed_on *)PyCapsule_GetPointer((PyObject *)capsule, names[i]));
}
