import { Effect } from "effect"
import { findOldSpellings, type OldSpelling } from "../../membership/accounts/AddressSpellings.ts"
import { ok, warning } from "./Finding.ts"

const subject = "Addresses"

/** Up to so many accounts are listed one by one. */
const most = 20

const nameOf = ({ id, organization_id }: OldSpelling) =>
  organization_id === null ? `administrator ${id}` : `student ${id} of the club ${organization_id}`

const findingOf = (account: OldSpelling) =>
  account.same_as === null
    ? warning(
      subject,
      `${
        nameOf(account)
      } has an address that would be refused today, or may be another mailbox in the spelling of today`,
      "They sign in with it as it stands there. Give a student another address: see the guide to upgrades"
    )
    : warning(
      subject,
      `${nameOf(account)} has the address of ${account.same_as} in another spelling`,
      "Nothing was merged. Change or remove one of the two: see the guide to upgrades"
    )

/** Accounts that are one person by their address, and those with an address from before today's rules. Shows ids alone. */
export const addressSpellings = Effect.map(findOldSpellings, (found) => {
  if (found.length === 0) return [ok(subject, "every account is another person's")]
  const told = found.slice(0, most).map(findingOf)
  const others = found.length - told.length
  return others === 0
    ? told
    : [...told, warning(subject, `the same is so of ${others} more`, "Mend these first, and look again")]
})
