import { Effect, Layer, Logger, Option } from "effect"
import { Addresses } from "../../webhooks/send/Addresses.ts"
import { addressSettings } from "../../webhooks/send/AddressSettings.ts"
import { check, type Finding, ok, problem, warning } from "./Finding.ts"

/** A name that leads to the public internet, and addresses that no webhook may reach: ours, a private one, a cloud's. */
const publicName = "example.com"
const privateOnes = ["127.0.0.1", "10.0.0.1", "[::1]", "169.254.169.254"]

const verdictOn = (host: string) =>
  Effect.flatMap(Addresses, ({ vet }) =>
    vet(host).pipe(
      Effect.as("allowed" as const),
      Effect.catchTags({
        AddressNotAllowed: () => Effect.succeed("refused" as const),
        DnsFailure: () => Effect.succeed("unknown" as const)
      })
    ))

const publicFinding = Effect.map(verdictOn(publicName), (verdict): Finding => {
  if (verdict === "allowed") return ok("DNS", `${publicName} is found, and webhooks may go there`)
  return verdict === "unknown"
    ? warning(
      "DNS",
      `${publicName} is not found: no webhook finds its receiver`,
      "Check the name servers in /etc/resolv.conf, unless this machine is to reach nobody"
    )
    : problem(
      "DNS",
      `${publicName} leads to an address that is not public`,
      "Name servers that answer with their own addresses keep webhooks from leaving"
    )
})

const privateFinding = Effect.gen(function*() {
  const open = yield* Effect.filter(
    privateOnes,
    (host) => Effect.map(verdictOn(host), (verdict) => verdict === "allowed")
  )
  if (open.length === 0) return ok("Address rules", "webhooks reach no private address")
  const networks = yield* addressSettings.WEBHOOK_ALLOWED_NETWORKS.read
  const says = `webhooks reach ${open.join(", ")}${Option.isSome(networks) ? ", by WEBHOOK_ALLOWED_NETWORKS" : ""}`
  return warning(
    "Address rules",
    says,
    "Unset WEBHOOK_ALLOWED_NETWORKS except for development: clubs could reach your own network"
  )
})

// The check reports exceptions from the rules, so the log does not.
const AddressesLayer = Addresses.layer.pipe(Layer.provideMerge(Logger.layer([])))

/** The addresses that webhooks may go to, by the given rules. */
export const addressFindings = Effect.all([publicFinding, privateFinding])

/** The addresses that webhooks may go to, by the rules of the service itself. */
export const addressCheck = check("Address rules", Effect.provide(addressFindings, AddressesLayer))
