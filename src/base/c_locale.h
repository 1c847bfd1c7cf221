/* The C locale, whatever locale a program that embeds the library has set: numbers that are written and read here have a point, never a comma. */
#ifndef SW_BASE_C_LOCALE_H
#define SW_BASE_C_LOCALE_H

#include <locale.h>

/* Made once and never freed; (locale_t)0 if it cannot be had. For the functions that take a locale, such as strtod_l. Any thread. */
locale_t sw_c_locale(void);

/* For those that take none, such as snprintf: this thread's locale from `enter` to `leave`, which takes what `enter` gave. */
static inline locale_t sw_c_locale_enter(void) { return uselocale(sw_c_locale()); }
static inline void sw_c_locale_leave(locale_t before) { (void)uselocale(before); }

#endif
