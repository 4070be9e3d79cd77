import { Effect, Option, type PlatformError } from "effect"
import { StorageFull } from "../../http/errors.ts"
import { FileMissing } from "../Storage.ts"

/** There is no such file. */
export const isMissing = ({ reason }: PlatformError.PlatformError): boolean => reason._tag === "NotFound"

/** Something else has this name. */
export const isTaken = ({ reason }: PlatformError.PlatformError): boolean => reason._tag === "AlreadyExists"

// The disk, or what of it this user may have.
const fullCodes: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"])
const isFull = ({ reason }: PlatformError.PlatformError) => fullCodes.has(Object(reason.cause).code)

/** Whatever else the file system says than that the file is missing is a defect. */
export const orMissing = <A>(work: Effect.Effect<A, PlatformError.PlatformError>): Effect.Effect<A, FileMissing> =>
  Effect.catch(work, (error) => isMissing(error) ? Effect.fail(new FileMissing()) : Effect.die(error))

/** `None` if the file is missing. */
export const ifThere = <A>(work: Effect.Effect<A, PlatformError.PlatformError>): Effect.Effect<Option.Option<A>> =>
  Effect.orElseSucceed(Effect.asSome(orMissing(work)), Option.none)

/** Whatever else the file system says than that there is no space left is a defect. */
export const orFull = <A, R>(
  work: Effect.Effect<A, PlatformError.PlatformError, R>
): Effect.Effect<A, StorageFull, R> =>
  Effect.catch(work, (error) => isFull(error) ? Effect.fail(new StorageFull()) : Effect.die(error))
