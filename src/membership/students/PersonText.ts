const nameLength = 200

const plain = (text: string) => text.toWellFormed().replaceAll("\u0000", "").trim()

/** At most 200 characters, counted in code points as the database does. */
const cut = (text: string) => [...text].slice(0, nameLength).join("").trim()

/** What a person is called who comes with this name, which may be empty or too long: then what stands before the @. */
export const personName = (name: string, email: string): string => cut(plain(name)) || cut(email.split("@")[0] ?? email)
