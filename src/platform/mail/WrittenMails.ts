import * as NodeServices from "@effect/platform-node/NodeServices"
import { Context, DateTime, Effect, FileSystem, Layer, Option, Path } from "effect"
import { databaseSettings, usesEmbeddedPostgres } from "../sql/DatabaseSettings.ts"
import { mailSettings } from "./MailSettings.ts"

/** A mail that is a file, for a developer. */
export interface WrittenMail {
  /** The file's. */
  readonly name: string
  readonly at: DateTime.Utc
  readonly recipient: string
  readonly subject: string
  readonly text: string
}

const shape = /^\d{8}T\d{6}\.\d{3}Z-.+\.eml$/

/** Loaded when somebody looks at a mail. */
const postalMime = Effect.promise(() => import("postal-mime"))

/**
 * True if a developer may read the written mails: the database is the embedded one, and no mail leaves. Otherwise they
 * are other people's.
 */
export const mailsAreKept = Effect.zipWith(
  usesEmbeddedPostgres,
  mailSettings.SMTP_URL.read,
  (isEmbedded, smtp) => isEmbedded && Option.isNone(smtp)
)

/** Reads the mails that `MailFiles` writes. */
export class WrittenMails extends Context.Service<WrittenMails, {
  /** The newest first. */
  newest(count: number): Effect.Effect<ReadonlyArray<WrittenMail>>
  /** `None` unless a mail has exactly this name: no other file is opened. */
  read(name: string): Effect.Effect<Option.Option<WrittenMail>>
}>()("turma/platform/mail/WrittenMails") {
  static readonly layer = Layer.effect(
    WrittenMails,
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const folder = path.join(yield* databaseSettings.DATA_DIR.read, "mail")

      const names = fs.readDirectory(folder).pipe(
        Effect.catchIf(({ reason }) => reason._tag === "NotFound", () => Effect.succeed<Array<string>>([])),
        Effect.map((found) => found.filter((name) => shape.test(name)).toSorted().toReversed()),
        Effect.orDie
      )

      // A person may be forgotten, and their mails with them, while somebody reads the list.
      const open = Effect.fnUntraced(function*(name: string) {
        const bytes = yield* Effect.option(fs.readFile(path.join(folder, name)))
        if (Option.isNone(bytes)) return Option.none()
        const { default: PostalMime } = yield* postalMime
        const { date, subject, text, to } = yield* Effect.promise(() => PostalMime.parse(bytes.value))
        return Option.map(DateTime.make(date ?? ""), (at): WrittenMail => ({
          name,
          at: DateTime.toUtc(at),
          recipient: to?.[0]?.address ?? "",
          subject: subject ?? "",
          text: text ?? ""
        }))
      })

      return WrittenMails.of({
        newest: Effect.fn("WrittenMails.newest")(function*(count: number) {
          const mails = yield* Effect.forEach((yield* names).slice(0, count), open)
          return mails.flatMap((mail) => Option.toArray(mail))
        }),
        read: Effect.fn("WrittenMails.read")(function*(name: string) {
          return (yield* names).includes(name) ? yield* open(name) : Option.none()
        })
      })
    })
  ).pipe(Layer.provide(NodeServices.layer))
}
