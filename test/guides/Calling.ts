import { NodeServices } from "@effect/platform-node"
import { Effect, FileSystem, Layer, Logger } from "effect"
import { HttpServer } from "effect/http"
import { execFile } from "node:child_process"
import { appLayer, enrolledStudent, foundClub, keyOf } from "../harness/App.ts"
import { guide, marked } from "./Guides.ts"
import { example } from "./Receivers.ts"

// Runs the programs of the guides, as a club's own server that calls the service with a key.

export interface Place {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
}

/** The service with these settings, without its log. */
export const serviceLayer = (variables: Record<string, string>) =>
  Layer.merge(appLayer(variables), NodeServices.layer).pipe(Layer.provide(Logger.layer([])))

/** The output of a program that succeeds. */
export const outputOf = (program: string | null, args: ReadonlyArray<string>, { env, folder }: Place) =>
  Effect.callback<string>((resume) => {
    if (program === null) return resume(Effect.die(new Error("There is no such program here")))
    const options = { cwd: folder, env: { PATH: process.env["PATH"] ?? "", ...env }, maxBuffer: 16 * 1024 * 1024 }
    execFile(
      program,
      args,
      options,
      (error, stdout, stderr) =>
        resume(error === null ? Effect.succeed(stdout) : Effect.die(new Error(`${error.message}${stderr}`)))
    )
  })

/** A club with three students, and a folder with the guide's code for the club's own server and its key. */
export const prepared = Effect.fnUntraced(function*(files: Readonly<Record<string, string>>) {
  const fs = yield* FileSystem.FileSystem
  const { address } = yield* HttpServer.HttpServer
  const club = yield* foundClub()
  const students = yield* Effect.replicateEffect(enrolledStudent(club), 3)
  const { token } = yield* keyOf(club)
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-calls-" })
  for (const [file, text] of Object.entries(files)) yield* fs.writeFileString(`${folder}/${file}`, text)
  const port = address._tag === "UnixPathAddress" ? 0 : address.port
  const place: Place = { folder, env: { TURMA: `http://127.0.0.1:${port}`, TURMA_KEY: token } }
  return { club, students, place }
})

/** The block of this name in the guide to a language. */
export const block = (language: "php" | "python", name: string) => example(language, marked(guide(language), name))
