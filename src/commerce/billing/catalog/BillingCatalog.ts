import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Context, Effect, FileSystem, Layer, Option, Schema } from "effect"
import { SettingError } from "../../../platform/config/Setting.ts"
import { describeIssue } from "../../../platform/http/issues/Message.ts"
import { whereBroken } from "../../../platform/http/json/JsonFault.ts"
import { textFile } from "../../../platform/text/TextFile.ts"
import { whyUnreadable } from "../../../platform/text/Unreadable.ts"
import { billingSettings, catalogVariable } from "../settings/BillingSettings.ts"
import builtIn from "./catalog.json" with { type: "json" }
import { catalogFault, unpricedFault } from "./CatalogFaults.ts"
import { PlanCatalog } from "./PlanCatalog.ts"

const decodeJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Unknown))
const decodeCatalog = Schema.decodeUnknownEffect(PlanCatalog, { onExcessProperty: "error" })

// In one line, whatever characters the file's keys contain.
const refused = (detail: string) =>
  new SettingError({
    ...catalogVariable,
    expected: `a JSON file of plans, add-ons and resources, but ${detail.replaceAll(/\p{Cc}/gu, " ")}`
  })

const read = Effect.fnUntraced(function*(file: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* Effect.mapError(
    textFile(fs, file),
    (error) => refused(`the file cannot be read: ${whyUnreadable(error)}`)
  )
  return yield* Effect.mapError(decodeJson(text), () => refused(`the file is not JSON: ${whereBroken(text)}`))
})

/**
 * The catalog that the settings name, checked at the start whatever the provider. Fails with the first thing that is
 * wrong in it, and where.
 */
export const configuredCatalog = Effect.gen(function*() {
  const file = yield* billingSettings.BILLING_CATALOG.read
  const provider = yield* billingSettings.BILLING_PROVIDER.read
  const written = Option.isSome(file) ? yield* read(file.value) : builtIn
  const catalog = yield* Effect.mapError(decodeCatalog(written), ({ issue }) => refused(describeIssue(issue)))
  const fault = catalogFault(catalog) ?? (provider === "stripe" ? unpricedFault(catalog) : undefined)
  return fault === undefined ? catalog : yield* refused(fault)
}).pipe(Effect.provide(NodeFileSystem.layer))

/** The catalog of this environment. */
export class BillingCatalog
  extends Context.Service<BillingCatalog, PlanCatalog>()("turma/commerce/billing/catalog/BillingCatalog")
{
  /** The catalog that `BILLING_CATALOG` names, or the built-in one. */
  static readonly layer = Layer.effect(BillingCatalog, configuredCatalog)
}
