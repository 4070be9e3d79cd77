import { Effect } from "effect"
import { CurrentMember, CurrentStudent } from "../../identity/people/Identity.ts"
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
      list: ({ query: { archived, favorite, ...narrowed } }) =>
        CurrentMember.use(({ club }) =>
          library.list(club.id, {
            ...narrowed,
            archived: archived === "true",
            favorite: favorite && favorite === "true"
          })
        ),
      create: ({ payload }) =>
        CurrentMember.use(({ club, user }) => Effect.map(library.create(club.id, user.id, payload), data)),
      get: ({ params }) => CurrentMember.use(({ club }) => Effect.map(library.get(club.id, params.mediaId), data)),
      update: ({ params, payload }) =>
        CurrentMember.use(({ club }) => Effect.map(library.patch(club.id, params.mediaId, payload), data)),
      remove: ({ params }) => CurrentMember.use(({ club }) => library.remove(club.id, params.mediaId)),
      resume: ({ params }) =>
        CurrentMember.use(({ club }) => Effect.map(files.resume(club.id, "library", params.mediaId), data)),
      complete: ({ params }) =>
        CurrentMember.use(({ club }) => Effect.map(files.complete(club.id, "library", params.mediaId), data)),
      download: ({ params, query }) =>
        CurrentMember.use(({ club }) =>
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
      list: ({ query }) => CurrentMember.use(({ club }) => folders.list(club.id, query)),
      create: ({ payload }) => CurrentMember.use(({ club }) => Effect.map(folders.create(club.id, payload), data)),
      get: ({ params }) => CurrentMember.use(({ club }) => Effect.map(folders.get(club.id, params.folderId), data)),
      update: ({ params, payload }) =>
        CurrentMember.use(({ club }) => Effect.map(folders.patch(club.id, params.folderId, payload), data)),
      remove: ({ params }) => CurrentMember.use(({ club }) => folders.remove(club.id, params.folderId))
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
      create: ({ payload }) =>
        CurrentStudent.use(({ club, student }) => Effect.map(uploads.create(club.id, student.id, payload), data)),
      resume: ({ params }) =>
        CurrentStudent.use(({ club, student }) =>
          Effect.map(uploads.resume(club.id, student.id, params.mediaId), data)
        ),
      complete: ({ params }) =>
        CurrentStudent.use(({ club, student }) =>
          Effect.map(uploads.complete(club.id, student.id, params.mediaId), data)
        )
    })
  })
)
