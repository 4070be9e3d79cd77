import * as NodeDns from "@effect/platform-node/NodeDns"
import { Effect, Layer } from "effect"
import { Dns } from "effect/net"

/**
 * Names as the DNS has them: over c-ares, which knows no hosts file and no search domains, and keeps no thread waiting.
 * A server has 2 s, then 4 s: c-ares goes on with a question after nobody waits for its answer, but not for long. Asks
 * the servers of the system unless given others.
 */
export const resolverLayer = (nameServers: ReadonlyArray<string> = []) =>
  Layer.effect(Dns.Dns, Effect.orDie(NodeDns.make({ nameServers, timeout: "2 seconds", tries: 2 })))
