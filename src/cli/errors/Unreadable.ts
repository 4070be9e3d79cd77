import type { Cause, PlatformError } from "effect"
import { whyNotJson } from "../../platform/http/json/JsonFault.ts"
import { whyUnreadable, whyUnwritable } from "../../platform/text/Unreadable.ts"
import { UsageError } from "./UsageError.ts"

/** A file, or standard input, is not read: one line that says why. */
export const cannotRead = (what: string, why: string) => new UsageError({ message: `Cannot read ${what}: ${why}` })

/** The same for what the system says. */
export const unreadable = (what: string) => (error: PlatformError.PlatformError) =>
  cannotRead(what, whyUnreadable(error))

/** A file cannot be written: why, and another way. */
export const unwritable = (what: string, remedy = "") => (error: PlatformError.PlatformError | Cause.UnknownError) =>
  new UsageError({ message: `Cannot write ${what}: ${whyUnwritable(error)}${remedy}` })

/** Why a text is not the JSON that is expected. */
export const whyUnexpected = (text: string): string => whyNotJson(text) ?? "it is JSON of another kind"
