import * as NodeDns from "@effect/platform-node/NodeDns"
import { Effect, Layer } from "effect"
import { Dns } from "effect/net"

/**
 * Resolves names with the DNS, over c-ares, which uses no hosts file and no search domains, and blocks no thread. A server
 * has 2 s, then 4 s, because c-ares goes on with a question after its caller has left. Asks the servers of the system
 * unless given others.
 */
export const resolverLayer = (nameServers: ReadonlyArray<string> = []) =>
  Layer.effect(Dns.Dns, Effect.orDie(NodeDns.make({ nameServers, timeout: "2 seconds", tries: 2 })))
