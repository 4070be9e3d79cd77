import { Effect, Layer, type Scope } from "effect"
import { type HttpApi, HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import type { SqlClient } from "effect/sql"
import { EventErasure } from "../../events/EventErasure.ts"
import { type EventSource, EventSources } from "../../events/EventSources.ts"
import { type StudentEraser, StudentErasers } from "../../identity/erasure/StudentErasers.ts"
import { LessonChanges, type LessonReaction } from "../../learning/content/LessonChanges.ts"
import { MediaChanges, type MediaReaction } from "../../learning/media/MediaChanges.ts"
import type { MailCaps } from "../../membership/caps/MailCaps.ts"
import { DeliveryItems, type ItemSource } from "../../membership/catalog/DeliveryItems.ts"
import { type ClubOpening, ClubOpenings } from "../../membership/clubs/ClubOpenings.ts"
import { FaceImages, type FaceImageSource } from "../../membership/clubs/FaceImages.ts"
import type { SettingError } from "../../platform/config/Setting.ts"
import { allowedMethods, type Route, routesOf } from "../../platform/http/server/AllowedMethods.ts"
import { envelopeLayer } from "../../platform/http/server/Envelope.ts"
import { readableQueriesLayer } from "../../platform/http/server/ReadableQueries.ts"
import { NamedRouteLayer } from "../../platform/http/server/RequestLog.ts"
import { firstRewrite, type Rewrite } from "../../platform/http/server/Rewrite.ts"
import type { IdempotencyKeys } from "../../platform/idempotency/IdempotencyKeys.ts"
import type { ClockGuard } from "../../platform/jobs/ClockGuard.ts"
import { type OverviewPart, Overviews } from "../../platform/jobs/Overviews.ts"
import { type Sweep, sweeperLayer } from "../../platform/jobs/Sweep.ts"
import type { Backlog } from "../../platform/jobs/WorkQueue.ts"
import type { Mailer } from "../../platform/mail/Mailer.ts"
import { OwnProgram } from "../../platform/processes/OwnProgram.ts"
import type { SealedRows } from "../../platform/sql/SealedRows.ts"
import type { Sealing } from "../../platform/sql/Sealing.ts"
import { documentationLayer, documentationRoutes } from "../documentation/DocumentationRoutes.ts"
import { operationsOf, ServedContract } from "../mcp/ContractOperations.ts"

/** The services that exist before any feature: registered parts may use only these. */
type Foundation = ClockGuard | IdempotencyKeys | MailCaps | Mailer | Sealing | SqlClient.SqlClient

type Made<A, E = never> = Effect.Effect<A, E, Foundation | Scope.Scope>

/** The parts that a feature registers with lower storeys. `provideShared` gives them services of their own feature. */
interface Registered {
  /** The rows of this feature that a club starts with. */
  readonly opening?: Made<ClubOpening, SettingError>
  /** How this feature forgets a student. */
  readonly erasers?: ReadonlyArray<Made<StudentEraser>>
  /** How facts become events. */
  readonly eventSources?: Made<ReadonlyArray<EventSource>>
  /** The part of this feature that deliveries can contain. */
  readonly deliveryItem?: Made<ItemSource>
  /** This feature's reaction to changed lessons. */
  readonly lessonReaction?: Made<LessonReaction>
  /** This feature's reaction to new files. */
  readonly mediaReaction?: Made<MediaReaction>
  /** The images that clubs may have in their faces. */
  readonly faceImages?: Made<FaceImageSource>
  /** How messages about a student's facts are forgotten. */
  readonly eventErasure?: Made<EventErasure["Service"]>
  /** Its routes outside of the contract, so that a wrong method and an unknown route get different answers. */
  readonly addresses?: Effect.Effect<ReadonlyArray<Route>, SettingError>
  /** Which requests it reads as others before they are routed. */
  readonly rewrite?: Effect.Effect<Rewrite, SettingError, Sealing>
  /** The work in its queues, for the overview. */
  readonly queues?: ReadonlyArray<Backlog>
  /** Other figures of it in the overview. */
  readonly overview?: Made<OverviewPart, SettingError>
  /** The expired rows that are deleted every hour. */
  readonly sweeps?: ReadonlyArray<Sweep>
  /** The sealed columns of its tables, and when they no longer need the previous key. */
  readonly sealed?: ReadonlyArray<SealedRows>
}

/** A feature: what it brings. Its layers may ask for whatever stands below it. */
interface Feature<S, SE, SR, T, TE, TR, W, WE, WR> extends Registered {
  /** The services that its routes, its workers and the features above it call, and middleware of its routes. */
  readonly services: Layer.Layer<S, SE, SR>
  /** Its groups of the contract, answered, and its routes outside of the contract. */
  readonly routes: Layer.Layer<T, TE, TR>
  /** Its background work. Any number of processes may run it. */
  readonly workers: Layer.Layer<W, WE, WR>
}

const registered = (features: ReadonlyArray<Registered>) => {
  const eventErasure = Effect.gen(function*() {
    const [only, ...others] = features.flatMap((feature) => feature.eventErasure ?? [])
    if (only === undefined || others.length > 0) {
      return yield* Effect.die(new Error("Exactly one feature must register eventErasure"))
    }
    return yield* only
  })
  return Layer.mergeAll(
    ClubOpenings.layer(features.flatMap(({ opening }) => opening ?? [])),
    DeliveryItems.layer(features.flatMap(({ deliveryItem }) => deliveryItem ?? [])),
    FaceImages.layer(features.flatMap(({ faceImages }) => faceImages ?? [])),
    EventSources.layer(features.flatMap(({ eventSources }) => eventSources ?? [])),
    LessonChanges.layer(features.flatMap(({ lessonReaction }) => lessonReaction ?? [])),
    MediaChanges.layer(features.flatMap(({ mediaReaction }) => mediaReaction ?? [])),
    Overviews.layer(
      features.flatMap(({ queues }) => queues ?? []),
      features.flatMap(({ overview }) => overview ?? [])
    ),
    StudentErasers.layer(features.flatMap(({ erasers }) => erasers ?? [])),
    Layer.effect(EventErasure, eventErasure)
  )
}

/** The parts of one composition. */
interface Parts<F, FE, FR, S, SE, SR, T, TE, TR, W, WE, WR> {
  readonly foundation: Layer.Layer<F, FE, FR>
  readonly services: Layer.Layer<S, SE, SR>
  readonly routes: Layer.Layer<T, TE, TR>
  readonly workers: Layer.Layer<W, WE, WR>
  readonly features: ReadonlyArray<Registered>
}

/** Features in storey order. Adding one makes another composition, and changes nothing of this one. */
class Composition<F, FE, FR, S, SE, SR, T, TE, TR, W, WE, WR> {
  private readonly parts: Parts<F, FE, FR, S, SE, SR, T, TE, TR, W, WE, WR>

  constructor(parts: Parts<F, FE, FR, S, SE, SR, T, TE, TR, W, WE, WR>) {
    this.parts = parts
  }

  /** One more of what every feature stands on, and what is registered may use. */
  on<S2, SE2, SR2, T2, TE2, TR2, W2, WE2, WR2>(feature: Feature<S2, SE2, SR2, T2, TE2, TR2, W2, WE2, WR2>) {
    const { features, foundation, routes, workers } = this.parts
    return new Composition({
      ...this.parts,
      foundation: Layer.provideMerge(feature.services, foundation),
      routes: Layer.merge(routes, feature.routes),
      workers: Layer.merge(workers, feature.workers),
      features: [...features, feature]
    })
  }

  /** One more feature, which stands on those that are there. */
  add<S2, SE2, SR2, T2, TE2, TR2, W2, WE2, WR2>(feature: Feature<S2, SE2, SR2, T2, TE2, TR2, W2, WE2, WR2>) {
    const { features, routes, services, workers } = this.parts
    return new Composition({
      ...this.parts,
      services: Layer.provideMerge(feature.services, services),
      routes: Layer.merge(routes, feature.routes),
      workers: Layer.merge(workers, feature.workers),
      features: [...features, feature]
    })
  }

  /** Every service, still asking for the database. */
  servicesLayer() {
    const { features, foundation, services } = this.parts
    return services.pipe(Layer.provideMerge(registered(features)), Layer.provideMerge(foundation))
  }

  /** Every address that is answered, of the contract or not. Those below `/internal` are in no list. */
  addresses<Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) {
    return Effect.map(
      this.outside(),
      (outside): ReadonlyArray<Route> => [...routesOf(api), ...documentationRoutes, ...outside]
    )
  }

  /** Those of features, outside of the contract. */
  private outside() {
    const each = this.parts.features.flatMap(({ addresses }) => addresses ?? [])
    return Effect.map(Effect.all(each), (addresses) => addresses.flat())
  }

  /**
   * The contract with its documentation, and every other route, still asking for the services. `program` makes the
   * documentation and the console.
   */
  routesLayer<Id extends string, Groups extends HttpApiGroup.Constraint>(
    api: HttpApi.HttpApi<Id, Groups>,
    program: URL
  ) {
    const rewrites = Effect.all(this.parts.features.flatMap(({ rewrite }) => rewrite ?? []))
    const known = Effect.map(
      Effect.all([this.addresses(api), rewrites]),
      ([addresses, each]) => envelopeLayer(allowedMethods(addresses), firstRewrite(each))
    )
    return HttpApiBuilder.layer(api).pipe(
      Layer.provideMerge(Layer.provide(this.parts.routes, [
        Layer.succeed(ServedContract, { operations: () => operationsOf(api) }),
        Layer.succeed(OwnProgram, program)
      ])),
      Layer.merge(documentationLayer(program)),
      Layer.provide(readableQueriesLayer(this.outside())),
      Layer.provide(NamedRouteLayer),
      Layer.merge(Layer.unwrap(known))
    )
  }

  /** All that is sealed. */
  sealed(): ReadonlyArray<SealedRows> {
    return this.parts.features.flatMap(({ sealed }) => sealed ?? [])
  }

  /** Background work beside the server, or without one. Any number of processes may run it. */
  workersLayer() {
    const { features, workers } = this.parts
    return Layer.merge(workers, sweeperLayer(features.flatMap(({ sweeps }) => sweeps ?? [])))
  }
}

/** Nothing yet. */
export const empty = new Composition({
  foundation: Layer.empty,
  services: Layer.empty,
  routes: Layer.empty,
  workers: Layer.empty,
  features: []
})
