const digits = 12

/**
 * The last 12 digits of every lease of one worker: its process id, and as many random digits. Workers of several
 * machines may have the same process id. The digits before, the time of the lease and random ones, tell its leases
 * apart.
 */
export const workerMark = (pid: number, random: string): string =>
  (pid % 2 ** 24).toString(16).padStart(digits / 2, "0") + random.replaceAll("-", "").slice(-digits / 2)

/** The id of a lease: a UUIDv7 that ends with the mark of its worker. */
export const leaseOfWorker = (id: string, mark: string): string => id.slice(0, -digits) + mark

/** The process id in a mark. */
export const pidOf = (mark: string): number => Number.parseInt(mark.slice(0, digits / 2), 16)
