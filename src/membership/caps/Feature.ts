import { Layer } from "effect"
import { MailCaps, sweepMailCounts } from "./MailCaps.ts"

/** The most mails that an address and a club may cause. */
export const caps = {
  services: MailCaps.layer,
  routes: Layer.empty,
  workers: Layer.empty,
  sweeps: [sweepMailCounts]
}
