import { Layer } from "effect"
import { MailCaps, sweepMailCounts } from "./MailCaps.ts"

/** How many mails an address and a club may cause. */
export const caps = {
  services: MailCaps.layer,
  routes: Layer.empty,
  workers: Layer.empty,
  sweeps: { "counts of mails": sweepMailCounts }
}
