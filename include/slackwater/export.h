/* Visibility of the public API. Not for direct use by programs that embed slackwater. */
#ifndef SLACKWATER_EXPORT_H
#define SLACKWATER_EXPORT_H

#if defined(__GNUC__)
#define SW_API __attribute__((visibility("default")))
#define SW_MUST_USE __attribute__((warn_unused_result))
#define SW_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define SW_API
#define SW_MUST_USE
#define SW_PRINTF(fmt, args)
#endif

#ifdef __cplusplus
#define SW_BEGIN_DECLS extern "C" {
#define SW_END_DECLS }
#else
#define SW_BEGIN_DECLS
#define SW_END_DECLS
#endif

#endif
