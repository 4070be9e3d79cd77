import { Context, Effect, FileSystem, Layer, Path, type Scope, Stdio, Terminal } from "effect"
import { Etag, HttpPlatform, HttpRouter, HttpServer } from "effect/http"
import { ChildProcessSpawner } from "effect/process"
import { SqlClient } from "effect/sql"

/** What is there when the server is built, beside the services of the application, and no request asks its context for. */
const unasked = new Set<string>([
  ChildProcessSpawner.ChildProcessSpawner.key,
  Etag.Generator.key,
  FileSystem.FileSystem.key,
  HttpPlatform.HttpPlatform.key,
  HttpRouter.RouterConfig.key,
  HttpServer.HttpServer.key,
  Layer.CurrentMemoMap.key,
  Path.Path.key,
  SqlClient.SqlClient.key,
  Stdio.Stdio.key,
  Terminal.Terminal.key
])

const small = (context: Context.Context<Scope.Scope>) =>
  Context.makeUnsafe<Scope.Scope>(
    new Map([...context.mapUnsafe].filter(([key]) => !key.startsWith("turma/") && !unasked.has(key)))
  )

/**
 * Goes between the server and its routes: requests begin with a small context. It is copied twice for each of them; with all
 * 130 services of the application in it that was a third of what the cheapest request cost.
 */
export const SmallContextsLayer = Layer.effect(
  HttpServer.HttpServer,
  Effect.map(HttpServer.HttpServer, (server) =>
    HttpServer.make({
      address: server.address,
      serve: (app, middleware) =>
        Effect.updateContext(middleware === undefined ? server.serve(app) : server.serve(app, middleware), small)
    }))
)
