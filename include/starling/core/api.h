// api.h - what stands around the declarations of every public header, so that C++ can use them and
// the shared library exports them and nothing else.
#pragma once

#if defined(__cplusplus)
#define SL_C_BEGIN extern "C" {
#define SL_C_END }
#else
#define SL_C_BEGIN
#define SL_C_END
#endif

#if defined(__GNUC__)
#define SL_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define SL_API_BEGIN SL_C_BEGIN _Pragma("GCC visibility push(default)")
#define SL_API_END _Pragma("GCC visibility pop") SL_C_END
#else
#define SL_PRINTF(fmt, args)
#define SL_API_BEGIN SL_C_BEGIN
#define SL_API_END SL_C_END
#endif

// A parameter `char out[SL_AT_LEAST(32)]` points at no fewer than 32 elements. C++ cannot say so.
#if defined(__cplusplus)
#define SL_AT_LEAST(n) n
#else
#define SL_AT_LEAST(n) static n
#endif
