import { isSeen } from "../../platform/http/Spelling.ts"

const nameLength = 200

const plain = (text: string) => isSeen(text) ? text.toWellFormed().replaceAll("\u0000", "").trim() : ""

/** At most 200 characters, counted in code points as the database does. */
const cut = (text: string) => [...text].slice(0, nameLength).join("").trim()

/** The name of a person, shortened to its limit. Without a visible character in it, the part before the @. */
export const nameOrAddress = (name: string, email: string): string =>
  cut(plain(name)) || cut(email.split("@")[0] ?? email)
