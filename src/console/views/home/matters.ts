import { turma } from "../../../browser/client/Api.ts"
import { number } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import { type Read, useRead } from "../../../browser/client/Reads.ts"
import { currentMillis, millisOf } from "../../../browser/client/Time.ts"
import type { TurmaError } from "../../../sdk/index.ts"
import { may, type Right } from "../../club/Rights.ts"
import type { Membership } from "../../club/Session.ts"
import {
  attemptsOf,
  type Count,
  countIn,
  endpointsOf,
  type Matter,
  usedUp,
  weightOf,
  weightOfAttempts
} from "./Morning.ts"
import { words } from "./words.ts"

/** One line of the overview. */
export interface Line extends Matter {
  readonly area: "attempts" | "billing" | "imports" | "sales" | "students" | "support" | "webhooks"
  /** Below the club's address. */
  readonly to: ReadonlyArray<string>
  /** Undefined until it was read. */
  readonly text: string | undefined
  readonly error: TurmaError | undefined
}

type Told = Matter & { readonly text: string; readonly to?: Line["to"] }

const lineOf = <A>(area: Line["area"], to: Line["to"], read: Read<A>, tell: (data: A) => Told): Line => ({
  area,
  to,
  error: read.data === undefined ? read.error : undefined,
  ...read.data === undefined ? { weight: "quiet", text: undefined } : tell(read.data)
})

const counted = ({ count, isMore }: Count) => isMore ? `${number(count)}+` : number(count)

const day = 86_400_000

const useWebhooks = (key: string | undefined, clubId: string): Line =>
  lineOf(
    "webhooks",
    ["webhooks"],
    useRead(key, (signal) => turma.webhookEndpoints.list({ clubId, limit: 100 }, { signal })),
    ({ data }) => {
      const all = endpointsOf(data)
      const { failing, held, paused, stopped, well } = all
      return {
        weight: weightOf(all),
        text: data.length === 0
          ? said(words).endpointsNone
          : said(words).endpoints(stopped, held, failing, paused, well)
      }
    }
  )

const useAttempts = (key: string | undefined, clubId: string): Line =>
  lineOf(
    "attempts",
    ["webhooks", "deliveries"],
    useRead(key, (signal) => turma.webhookEndpoints.seriesOfAll({ clubId, window: "24h" }, { signal })),
    ({ data }) => {
      const attempts = attemptsOf(data)
      const { all, failed } = attempts
      const text = all === 0
        ? said(words).attemptsNone
        : failed === 0
        ? said(words).attemptsWell(number(all))
        : said(words).attemptsFailed(number(failed), number(all))
      return { weight: weightOfAttempts(attempts), text }
    }
  )

const useSales = (key: string | undefined, clubId: string): Line =>
  lineOf(
    "sales",
    ["sales", "products"],
    useRead(key, (signal) => turma.productMappings.unmapped({ clubId, limit: 100 }, { signal })),
    (page) => {
      const products = countIn(page)
      const events = page.data.reduce((sum, one) => sum + one.events, 0)
      return products.count === 0
        ? { weight: "good", text: said(words).salesNone }
        : {
          weight: "waiting",
          text: said(words).salesUnmapped(counted(products), number(events), products.count === 1)
        }
    }
  )

const useSupport = (key: string | undefined, clubId: string): Line =>
  lineOf(
    "support",
    ["support"],
    useRead(key, (signal) => turma.support.list({ clubId, unread: "true", limit: 100 }, { signal })),
    (page) => {
      const unread = countIn(page)
      return unread.count === 0
        ? { weight: "good", text: said(words).supportNone }
        : { weight: "waiting", text: said(words).supportUnread(counted(unread), unread.count === 1) }
    }
  )

const useStudents = (key: string | undefined, clubId: string): Line =>
  lineOf(
    "students",
    ["students"],
    useRead(key, (signal) => turma.students.list({ clubId, limit: 100 }, { signal })),
    (page) => {
      const since = currentMillis() - 7 * day
      const recent = countIn(page, ({ created_at }) => millisOf(created_at) >= since)
      return recent.count === 0
        ? { weight: "quiet", text: said(words).studentsNone }
        : { weight: "good", text: said(words).studentsNew(counted(recent), recent.count === 1) }
    }
  )

const useImports = (key: string | undefined, clubId: string): Line =>
  lineOf(
    "imports",
    ["students", "import"],
    useRead(key, (signal) => turma.studentImports.list({ clubId, limit: 20 }, { signal })),
    ({ data }) => {
      const running = data.filter(({ status }) => status !== "completed")
      const sum = (of: "processed" | "total") => number(running.reduce((total, one) => total + one[of], 0))
      const [first] = running
      return first === undefined ? { weight: "quiet", text: said(words).importsNone } : {
        weight: "good",
        text: said(words).importsRunning(running.length, sum("processed"), sum("total")),
        to: ["students", "imports", first.id]
      }
    }
  )

const useBilling = (key: string | undefined, clubId: string): Line =>
  lineOf(
    "billing",
    ["billing"],
    useRead(key, (signal) => turma.billing.status({ clubId }, { signal })),
    ({ data }) => {
      const { near, over } = usedUp(data.resources)
      if (over.length > 0) return { weight: "bad", text: said(words).billingOver(over.join(", ")) }
      if (near.length > 0) return { weight: "waiting", text: said(words).billingNear(near.join(", ")) }
      return { weight: "good", text: said(words).billingWell }
    }
  )

/** The lines of the overview, as far as the person's role reads them. */
export const useLines = (club: Membership): ReadonlyArray<Line> => {
  const clubId = club.organization_id
  const keyFor = (right: Right, key: string) => may(club.role, right) ? `${clubId}/${key}` : undefined
  const lines: ReadonlyArray<readonly [Right, Line]> = [
    ["administer", useWebhooks(keyFor("administer", "webhook-endpoints?home"), clubId)],
    ["administer", useAttempts(keyFor("administer", "webhook-deliveries?home"), clubId)],
    ["administer", useSales(keyFor("administer", "unmapped-products?home"), clubId)],
    ["support", useSupport(keyFor("support", "support/conversations?home"), clubId)],
    ["read", useStudents(keyFor("read", "students?home"), clubId)],
    ["administer", useImports(keyFor("administer", "imports?home"), clubId)],
    ["read", useBilling(keyFor("read", "billing/status"), clubId)]
  ]
  return lines.filter(([right]) => may(club.role, right)).map(([, line]) => line)
}
