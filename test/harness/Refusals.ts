/** Whether what is said of a refused request begins with what is wrong with this field. */
export const isAbout = (message: unknown, field: unknown): boolean =>
  [`${String(field)} `, `\`${String(field)}\` `].some((start) => String(message).startsWith(start))
