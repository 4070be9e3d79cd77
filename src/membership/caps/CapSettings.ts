import { Config, Schema } from "effect"
import { setting } from "../../platform/config/Setting.ts"

const cap = (variable: string, fallback: string, meaning: string) =>
  setting(
    { variable, fallback, meaning, expected: "an integer of at least 1", example: fallback },
    (variable) => Config.schema(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)), variable)
  )

/** Limits of one account and one club, against abuse. */
export const capSettings = {
  MAILS_PER_ADDRESS: cap("MAILS_PER_ADDRESS", "10", "mails of one kind to one address in an hour"),
  MAILS_PER_CLUB: cap("MAILS_PER_CLUB", "5000", "mails that a club's members and sales cause on a day"),
  CLUBS_PER_ACCOUNT: cap("CLUBS_PER_ACCOUNT", "20", "clubs that one account may found")
}
