/** True if the message of a refused request begins with the fault of this field. */
export const isAbout = (message: unknown, field: unknown): boolean =>
  [`${String(field)} `, `\`${String(field)}\` `].some((start) => String(message).startsWith(start))
