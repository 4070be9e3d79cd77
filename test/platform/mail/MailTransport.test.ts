import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Fiber, FileSystem, Layer, Logger, Queue, Redacted } from "effect"
import { TestClock } from "effect/testing"
import PostalMime from "postal-mime"
import { resetPassword } from "../../../src/membership/accounts/MailTexts.ts"
import { type Mail, MailId } from "../../../src/platform/mail/Mail.ts"
import { MailTransport } from "../../../src/platform/mail/MailTransport.ts"
import { startSmtp } from "../../harness/Smtp.ts"

const id = MailId.make("018f0000-0000-7000-8000-0000000000aa")
const link = `https://turma.example/reset?token=s3cret${"0".repeat(80)}`
const mail = resetPassword("pt-BR", { recipient: "joao@example.com", name: "João Ångström 🎻", link })

const environment = (variables: Record<string, string>) => ConfigProvider.layer(ConfigProvider.fromUnknown(variables))

const sendThrough = (transport: ReturnType<typeof MailTransport.layer>, message: Mail = mail, variables = {}) =>
  Effect.flatMap(MailTransport, (service) => service.send(message, id))
    .pipe(Effect.provide(Layer.provide(transport, environment(variables))))

const failureThrough = (url: string, message: Mail = mail) =>
  sendThrough(MailTransport.layerSmtp(Redacted.make(url)), message).pipe(
    Effect.catchTag("SettingError", Effect.die),
    Effect.flip,
    Effect.map(({ permanent, reason }) => ({ permanent, reason }))
  )

/** A server that accepts any login without TLS, and the logins that it got. */
const withLogin = Effect.gen(function*() {
  const logins = yield* Queue.unbounded<string>()
  const smtp = yield* startSmtp({
    server: {
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
      onAuth: ({ password, username }, _session, callback) => {
        Queue.offerUnsafe(logins, `${username} ${password}`)
        callback(null, { user: username })
      }
    }
  })
  return { logins, smtp }
})

const refusing = (code: number) => startSmtp({ refuse: () => code })

describe("sending over SMTP", () => {
  it.effect("hands over text and HTML with every letter intact", () =>
    Effect.gen(function*() {
      const smtp = yield* startSmtp()
      yield* sendThrough(MailTransport.layerSmtp(smtp.url), mail, { MAIL_FROM: "Turma ção <oi@turma.example>" })
      const { email, recipients, sender } = yield* Queue.take(smtp.received)
      assert.deepStrictEqual({ sender, recipients }, { sender: "oi@turma.example", recipients: ["joao@example.com"] })
      assert.strictEqual(email.from?.name, "Turma ção")
      assert.strictEqual(email.subject, "Crie uma nova senha")
      assert.include(email.text ?? "", "Olá, João Ångström 🎻!")
      assert.include(email.html ?? "", "Olá, João Ångström 🎻!")
      assert.include(email.text ?? "", link)
    }))

  it.effect("gives the same mail the same message id and asks for no automatic answers", () =>
    Effect.gen(function*() {
      const smtp = yield* startSmtp()
      const send = sendThrough(MailTransport.layerSmtp(smtp.url))
      yield* send
      yield* send
      const [first, second] = yield* Queue.takeN(smtp.received, 2)
      assert.strictEqual(first?.email.messageId, `<${id}@localhost>`)
      assert.strictEqual(second?.email.messageId, first?.email.messageId)
      assert.match(first?.raw ?? "", /^Auto-Submitted: auto-generated\r$/m)
    }))

  it.effect("names the address that ends such mails with one click, on lines of any length, in mails that have one", () =>
    Effect.gen(function*() {
      const smtp = yield* startSmtp()
      const unsubscribe = `https://turma.example/v1/notifications/unsubscribe?token=${"a".repeat(86)}`
      yield* sendThrough(MailTransport.layerSmtp(smtp.url), { ...mail, unsubscribe })
      yield* sendThrough(MailTransport.layerSmtp(smtp.url))
      const [first, second] = yield* Queue.takeN(smtp.received, 2)
      assert.include(first?.raw, `\r\nList-Unsubscribe: <${unsubscribe}>\r\n`)
      assert.include(first?.raw, "\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n")
      assert.notInclude(second?.raw, "List-Unsubscribe")
    }))

  it.effect("presents the user and password of the URL, decoded", () =>
    Effect.gen(function*() {
      const { logins, smtp } = yield* withLogin
      yield* sendThrough(MailTransport.layerSmtp(Redacted.make(`smtp://tur%40ma:p%3Ass@127.0.0.1:${smtp.port}`)))
      assert.strictEqual(yield* Queue.take(logins), "tur@ma p:ss")
    }))

  it.effect("says no password to a distant server that offers no TLS", () =>
    Effect.gen(function*() {
      const { logins, smtp } = yield* withLogin
      // Any address of this machine outside 127.0.0.0/8 counts as remote, and this one reaches the same server.
      const failure = yield* failureThrough(`smtp://user:secret@[::ffff:127.0.0.1]:${smtp.port}`)
      assert.deepStrictEqual(failure, { reason: "ETLS 500", permanent: false })
      assert.strictEqual(yield* Queue.size(logins), 0)
    }))

  it.effect("hands nothing to a server whose certificate it cannot verify", () =>
    Effect.gen(function*() {
      const smtp = yield* startSmtp({ server: { disabledCommands: ["AUTH"] } })
      const { permanent, reason } = yield* failureThrough(Redacted.value(smtp.url))
      assert.isFalse(permanent)
      assert.match(reason, /CERT|VERIFY/)
      assert.strictEqual(yield* Queue.size(smtp.received), 0)
    }))

  it.effect("marks a mailbox that does not exist as permanent", () =>
    Effect.gen(function*() {
      const smtp = yield* refusing(550)
      const failure = yield* failureThrough(Redacted.value(smtp.url))
      assert.deepStrictEqual(failure, { reason: "EENVELOPE 550", permanent: true })
    }))

  it.effect("does not mark a mailbox that is busy, nor a server that wants a login", () =>
    Effect.gen(function*() {
      const busy = yield* refusing(450)
      const closed = yield* refusing(530)
      assert.deepStrictEqual(yield* failureThrough(Redacted.value(busy.url)), {
        reason: "EENVELOPE 450",
        permanent: false
      })
      assert.deepStrictEqual(yield* failureThrough(Redacted.value(closed.url)), {
        reason: "EENVELOPE 530",
        permanent: false
      })
    }))

  it.effect("does not mark a server that is down", () =>
    Effect.gen(function*() {
      const { port } = yield* Effect.scoped(startSmtp())
      const failure = yield* failureThrough(`smtp://127.0.0.1:${port}`)
      assert.deepStrictEqual(failure, { reason: "ECONNREFUSED", permanent: false })
    }))

  it.effect("gives a server that does not answer up after 45 seconds", () =>
    Effect.gen(function*() {
      const connected = yield* Queue.unbounded<void>()
      const smtp = yield* startSmtp({ server: { onConnect: () => Queue.offerUnsafe(connected, undefined) } })
      const failing = yield* Effect.forkChild(failureThrough(Redacted.value(smtp.url)))
      yield* Queue.take(connected)
      yield* TestClock.adjust(MailTransport.timeout)
      assert.deepStrictEqual(yield* Fiber.join(failing), { reason: "ETIMEDOUT", permanent: false })
    }))

  it.effect("refuses an address that a mail server could read as several or as a header", () =>
    Effect.gen(function*() {
      const smtp = yield* startSmtp()
      for (const recipient of ["a@x.example, b@x.example", "a@x.example\r\nBcc: b@x.example", "a <b@x.example>", ""]) {
        const failure = yield* failureThrough(Redacted.value(smtp.url), { ...mail, recipient })
        assert.deepStrictEqual(failure, { reason: "BAD_ADDRESS", permanent: true })
      }
      assert.strictEqual(yield* Queue.size(smtp.received), 0)
    }))
})

const inFolder = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const root = yield* fs.makeTempDirectoryScoped()
  const list = fs.readDirectory(`${root}/mail`)
  return { fs, root, list, transport: MailTransport.layerFiles(root) }
})

describe("writing mails to files", () => {
  it.effect("writes a complete mail for its owner only", () =>
    Effect.gen(function*() {
      const { fs, list, root, transport } = yield* inFolder
      yield* sendThrough(transport)
      const files = yield* list
      assert.deepStrictEqual(files, ["19700101T000000.000Z-joao@example.com.eml"])
      const file = `${root}/mail/${files[0]}`
      assert.strictEqual((yield* fs.stat(file)).mode & 0o777, 0o600)
      const raw = yield* fs.readFile(file)
      const email = yield* Effect.promise(() => PostalMime.parse(raw))
      assert.strictEqual(email.date, "1970-01-01T00:00:00.000Z")
      assert.strictEqual(email.to?.[0]?.address, "joao@example.com")
      assert.include(email.text ?? "", link)
      assert.include(email.html ?? "", link)
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("shows the first link in a header of one line, for whoever looks into the file", () =>
    Effect.gen(function*() {
      const { fs, list, root, transport } = yield* inFolder
      yield* sendThrough(transport)
      const raw = yield* fs.readFileString(`${root}/mail/${(yield* list)[0]}`)
      assert.include(raw.split("\r\n"), `X-Link: ${link}`)
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("keeps both of two mails to one address at one moment", () =>
    Effect.gen(function*() {
      const { list, transport } = yield* inFolder
      yield* sendThrough(transport)
      yield* sendThrough(transport)
      assert.sameMembers(yield* list, [
        "19700101T000000.000Z-joao@example.com.eml",
        "19700101T000000.000Z-joao@example.com-2.eml"
      ])
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("stays in its folder whatever the address", () =>
    Effect.gen(function*() {
      const { fs, list, root, transport } = yield* inFolder
      const hostile = ["../../etc/passwd@x", "a/b@x", "..@..", `${"a".repeat(64)}@${"b".repeat(255)}`, "a%2f~$`|@x"]
      yield* Effect.forEach(hostile, (recipient) => sendThrough(transport, { ...mail, recipient }))
      const files = yield* list
      assert.strictEqual(files.length, hostile.length)
      for (const file of files) assert.match(file, /^19700101T000000\.000Z-(?!.*\.\.)[\w@.+-]{1,100}\.eml$/)
      assert.deepStrictEqual(yield* fs.readDirectory(root), ["mail"])
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("logs where the file is, and neither the address in its name nor the link", () =>
    Effect.gen(function*() {
      const { root, transport } = yield* inFolder
      const lines: Array<string> = []
      const logger = Logger.map(Logger.formatJson, (line) => lines.push(line))
      yield* Effect.provide(sendThrough(transport), Logger.layer([logger]))
      assert.strictEqual(lines.length, 1)
      assert.include(lines[0], `${root}/mail/19700101T000000.000Z-*.eml`)
      assert.notMatch(lines[0] ?? "", /s3cret|joao|example/)
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("is what happens without SMTP_URL", () =>
    Effect.gen(function*() {
      const { list, root } = yield* inFolder
      yield* sendThrough(MailTransport.layer(root))
      assert.strictEqual((yield* list).length, 1)
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("does not happen with SMTP_URL", () =>
    Effect.gen(function*() {
      const smtp = yield* startSmtp()
      const { fs, root } = yield* inFolder
      yield* sendThrough(MailTransport.layer(root), mail, { SMTP_URL: Redacted.value(smtp.url) })
      assert.strictEqual((yield* Queue.take(smtp.received)).recipients[0], mail.recipient)
      assert.deepStrictEqual(yield* fs.readDirectory(root), [])
    }).pipe(Effect.provide(NodeServices.layer)))
})
