import { Schema } from "effect"
import { ClubId } from "../../../identity/ids/ClubId.ts"
import { brandedId } from "../../../platform/schema/brandedId.ts"
import { Instant } from "../../../platform/schema/Instant.ts"

/** One time that an add-on was contracted. UUIDv7. */
export const ContractedAddonId = brandedId("ContractedAddonId")
export type ContractedAddonId = typeof ContractedAddonId.Type

/** A line of the ledger. UUIDv7. */
export const EntryId = brandedId("EntryId")
export type EntryId = typeof EntryId.Type

/** An add-on that a club has now. */
export const ContractedAddon = Schema.Struct({
  id: ContractedAddonId,
  addon_key: Schema.String,
  contracted_at: Instant,
  external_id: Schema.NullOr(Schema.String)
})
export type ContractedAddon = typeof ContractedAddon.Type

/** The plan of a club, since when, and its add-ons, oldest first. */
export const Account = Schema.Struct({
  club_id: ClubId,
  plan_key: Schema.String,
  anchor: Instant,
  invoiced_until: Instant,
  customer_id: Schema.NullOr(Schema.String),
  subscription_id: Schema.NullOr(Schema.String),
  addons: Schema.Array(ContractedAddon)
})
export type Account = typeof Account.Type
