const nameLength = 200

const plain = (text: string) => text.toWellFormed().replaceAll("\u0000", "").trim()

/** At most 200 characters, counted in code points as the database does. */
const cut = (text: string) => [...text].slice(0, nameLength).join("").trim()

/** The name of a person, cut to its limit; where it is empty, the part of the address before the @. */
export const nameOrAddress = (name: string, email: string): string =>
  cut(plain(name)) || cut(email.split("@")[0] ?? email)
