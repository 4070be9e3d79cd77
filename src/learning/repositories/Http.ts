import { Effect } from "effect"
import { asMember, asStudent } from "../../identity/people/asMember.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { dataAnswer } from "../../platform/http/json/MadeJson.ts"
import { data, whole } from "../../platform/http/Page.ts"
import { group } from "../../platform/http/server/group.ts"
import { ClassroomRepositoriesApi, RepositoriesApi } from "./Api.ts"
import { ClassroomRepositories } from "./ClassroomRepositories.ts"
import { Repositories } from "./Repositories.ts"
import { RepositoryFiles } from "./RepositoryFiles.ts"

/** Answers the routes of `RepositoriesApi`. */
export const RepositoriesHttp = group(
  versioned(RepositoriesApi),
  "repositories",
  Effect.fn(function*(handlers) {
    const repositories = yield* Repositories
    const files = yield* RepositoryFiles
    return handlers.handleAll({
      list: asMember(({ query }, { club }) => repositories.list(club.id, query)),
      create: asMember(({ payload }, { club }) => Effect.map(repositories.create(club.id, payload), data)),
      get: asMember(({ params }, { club }) => Effect.map(repositories.get(club.id, params.repositoryId), data)),
      update: asMember(({ params, payload }, { club }) =>
        Effect.map(repositories.patch(club.id, params.repositoryId, payload), data)
      ),
      publish: asMember(({ params, payload }, { club }) =>
        Effect.map(repositories.publish(club.id, params.repositoryId, payload.published_at), data)
      ),
      remove: asMember(({ params }, { club }) => repositories.remove(club.id, params.repositoryId)),
      listFiles: asMember(({ params }, { club }) => Effect.map(files.list(club.id, params.repositoryId), whole)),
      addFile: asMember(({ params, payload }, { club }) =>
        Effect.map(files.add(club.id, params.repositoryId, payload), data)
      ),
      orderFiles: asMember(({ params, payload }, { club }) =>
        Effect.map(files.order(club.id, params.repositoryId, payload.ids), whole)
      ),
      removeFile: asMember(({ params: { fileId, repositoryId } }, { club }) =>
        files.remove(club.id, repositoryId, fileId)
      )
    })
  })
)

/** Answers the routes of `ClassroomRepositoriesApi`. */
export const ClassroomRepositoriesHttp = group(
  versioned(ClassroomRepositoriesApi),
  "classroomRepositories",
  Effect.fn(function*(handlers) {
    const repositories = yield* ClassroomRepositories
    return handlers.handleAll({
      list: asStudent((_, { club, student }) => Effect.map(repositories.list(club.id, student.id), dataAnswer)),
      get: asStudent(({ params }, { club, student }) =>
        Effect.map(repositories.get(club.id, student.id, params.publicId), data)
      ),
      download: asStudent(({ params: { fileId, publicId }, query }, { club, student }) =>
        Effect.map(repositories.download(club.id, student.id, publicId, fileId, query.inline === "true"), data)
      )
    })
  })
)
