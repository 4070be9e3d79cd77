import { Effect } from "effect"
import { asMember, asStudent } from "../../identity/people/asMember.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { data } from "../../platform/http/Page.ts"
import { group } from "../../platform/http/server/group.ts"
import { ClassroomMediaApi, MediaApi, MediaFoldersApi } from "./Api.ts"
import { ClubFiles } from "./ClubFiles.ts"
import { MediaFolders } from "./MediaFolders.ts"
import { MediaLibrary } from "./MediaLibrary.ts"
import { StudentUploads } from "./StudentUploads.ts"

/** Answers the routes of `MediaApi`. */
export const MediaHttp = group(
  versioned(MediaApi),
  "media",
  Effect.fn(function*(handlers) {
    const library = yield* MediaLibrary
    const files = yield* ClubFiles
    return handlers.handleAll({
      list: asMember(({ query: { archived, favorite, ...narrowed } }, { club }) =>
        library.list(club.id, {
          ...narrowed,
          archived: archived === "true",
          favorite: favorite && favorite === "true"
        })
      ),
      create: asMember(({ payload }, { club, user }) => Effect.map(library.create(club.id, user.id, payload), data)),
      get: asMember(({ params }, { club }) => Effect.map(library.get(club.id, params.mediaId), data)),
      update: asMember(({ params, payload }, { club }) =>
        Effect.map(library.patch(club.id, params.mediaId, payload), data)
      ),
      remove: asMember(({ params }, { club }) => library.remove(club.id, params.mediaId)),
      resume: asMember(({ params }, { club }) => Effect.map(files.resume(club.id, "library", params.mediaId), data)),
      complete: asMember(({ params }, { club }) =>
        Effect.map(files.complete(club.id, "library", params.mediaId), data)
      ),
      download: asMember(({ params, query }, { club }) =>
        Effect.map(library.download(club.id, params.mediaId, query.inline === "true"), data)
      )
    })
  })
)

/** Answers the routes of `MediaFoldersApi`. */
export const MediaFoldersHttp = group(
  versioned(MediaFoldersApi),
  "mediaFolders",
  Effect.fn(function*(handlers) {
    const folders = yield* MediaFolders
    return handlers.handleAll({
      list: asMember(({ query }, { club }) => folders.list(club.id, query)),
      create: asMember(({ payload }, { club }) => Effect.map(folders.create(club.id, payload), data)),
      get: asMember(({ params }, { club }) => Effect.map(folders.get(club.id, params.folderId), data)),
      update: asMember(({ params, payload }, { club }) =>
        Effect.map(folders.patch(club.id, params.folderId, payload), data)
      ),
      remove: asMember(({ params }, { club }) => folders.remove(club.id, params.folderId))
    })
  })
)

/** Answers the routes of `ClassroomMediaApi`. */
export const ClassroomMediaHttp = group(
  versioned(ClassroomMediaApi),
  "classroomMedia",
  Effect.fn(function*(handlers) {
    const uploads = yield* StudentUploads
    return handlers.handleAll({
      create: asStudent(({ payload }, { club, student }) =>
        Effect.map(uploads.create(club.id, student.id, payload), data)
      ),
      resume: asStudent(({ params }, { club, student }) =>
        Effect.map(uploads.resume(club.id, student.id, params.mediaId), data)
      ),
      complete: asStudent(({ params }, { club, student }) =>
        Effect.map(uploads.complete(club.id, student.id, params.mediaId), data)
      )
    })
  })
)
