import { Duration } from "effect"

/** The least pace of a body, measured over a minute. */
const leastRate = { bytes: 60 * 1024, within: 60_000 }

/** The pace of the slowest line: 64 KiB a second, and five minutes for any trouble on the way. */
export const slowest = { bytesPerSecond: 64 * 1024, allowance: Duration.minutes(5) }

/** After this long an upload of so many bytes ends, whatever has come. Of 5 GiB it is less than a day. */
export const uploadDeadline = (size_bytes: number): Duration.Duration =>
  Duration.sum(slowest.allowance, Duration.seconds(Math.ceil(size_bytes / slowest.bytesPerSecond)))

/**
 * How fast one body comes: a pure account. The caller passes the time, in milliseconds of a clock that never goes back.
 */
export interface UploadPace {
  /** True if the upload has been too slow until `now`, with this many bytes received. */
  isTooSlow(now: number, come: number): boolean
}

/** From its begin on. An upload that is not yet a minute old is not too slow. */
export const makeUploadPace = (begin: number, size_bytes: number): UploadPace => {
  const end = begin + Duration.toMillis(uploadDeadline(size_bytes))
  /** The newest that is a minute old, and what came after it. */
  let looks: ReadonlyArray<{ readonly at: number; readonly come: number }> = [{ at: begin, come: 0 }]
  return {
    isTooSlow(now, come) {
      const isOld = ({ at }: { readonly at: number }) => at <= now - leastRate.within
      const oldest = looks.findLastIndex(isOld)
      looks = [...looks.slice(Math.max(0, oldest)), { at: now, come }]
      const first = looks[0]
      return now >= end || (first !== undefined && isOld(first) && come - first.come < leastRate.bytes)
    }
  }
}
