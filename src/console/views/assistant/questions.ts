// The filters of the questions, read from an address. Pure.

/** The states of answers. */
export const statuses = ["generating", "completed", "failed", "canceled"] as const

/** The status of this name. Undefined for any other word. */
export const statusOf = (text: string | null): (typeof statuses)[number] | undefined =>
  statuses.find((one) => one === text)

/** The pages of a citation. Undefined for a source without pages. */
export const pagesOf = ({ page_from, page_to }: {
  readonly page_from: number | null
  readonly page_to: number | null
}): readonly [from: number, to: number] | undefined =>
  page_from === null ? undefined : [page_from, Math.max(page_from, page_to ?? page_from)]

/** Number of days in a month, by its first day: `2026-11-01`. */
export const daysIn = (month: string): number => {
  const [, year, number] = /^(\d{4})-(\d{2})/.exec(month) ?? []
  if (year === undefined || number === undefined) return 30
  if (number === "02") return Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0) ? 29 : 28
  return ["04", "06", "09", "11"].includes(number) ? 30 : 31
}
