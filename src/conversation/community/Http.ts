import { Effect } from "effect"
import { asMember } from "../../identity/people/asMember.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { data, whole } from "../../platform/http/Page.ts"
import { group } from "../../platform/http/server/group.ts"
import { personOfRequest, studentOfRequest } from "../authors/Viewer.ts"
import { ClassroomCommunityApi, ClassroomPostsApi, CommunityApi, PostsApi } from "./Api.ts"
import { ClassroomCommunities } from "./ClassroomCommunities.ts"
import { ClassroomSpaces } from "./ClassroomSpaces.ts"
import { Communities } from "./Communities.ts"
import { Posts } from "./Posts.ts"

/** Answers the routes of `CommunityApi`. */
export const CommunityHttp = group(
  versioned(CommunityApi),
  "community",
  Effect.fn(function*(handlers) {
    const communities = yield* Communities
    return handlers.handleAll({
      read: asMember((_, { club }) => Effect.map(communities.read(club.id), data)),
      update: asMember(({ payload }, { club }) => Effect.map(communities.patch(club.id, payload), data)),
      createSpace: asMember(({ payload }, { club }) => Effect.map(communities.createSpace(club.id, payload), data)),
      orderSpaces: asMember(({ payload }, { club }) => Effect.map(communities.orderSpaces(club.id, payload.ids), data)),
      updateSpace: asMember(({ params, payload }, { club }) =>
        Effect.map(communities.patchSpace(club.id, params.spaceId, payload), data)
      ),
      archiveSpace: asMember(({ params }, { club }) => communities.archiveSpace(club.id, params.spaceId))
    })
  })
)

/** Answers the routes of `PostsApi`. */
export const PostsHttp = group(
  versioned(PostsApi),
  "posts",
  Effect.fn(function*(handlers) {
    const posts = yield* Posts
    return handlers.handleAll({
      list: ({ params, query: { pinned, ...page } }) =>
        Effect.flatMap(
          personOfRequest,
          (viewer) => posts.list(viewer, params.spaceId, { ...page, pinned: pinned === "true" })
        ),
      create: ({ params, payload }) =>
        Effect.flatMap(personOfRequest, (writer) => Effect.map(posts.create(writer, params.spaceId, payload), data)),
      get: ({ params }) =>
        Effect.flatMap(personOfRequest, (viewer) => Effect.map(posts.get(viewer, params.postId), data)),
      update: ({ params, payload }) =>
        Effect.flatMap(personOfRequest, (writer) => Effect.map(posts.patch(writer, params.postId, payload), data)),
      remove: ({ params }) => Effect.flatMap(personOfRequest, (writer) => posts.remove(writer, params.postId))
    })
  })
)

/** Answers the routes of `ClassroomPostsApi`. */
export const ClassroomPostsHttp = group(
  versioned(ClassroomPostsApi),
  "classroomPosts",
  Effect.fn(function*(handlers) {
    const posts = yield* Posts
    return handlers.handleAll({
      list: ({ params, query: { pinned, ...page } }) =>
        Effect.flatMap(
          studentOfRequest,
          (student) => posts.list(student, params.spaceId, { ...page, pinned: pinned === "true" })
        ),
      create: ({ params, payload }) =>
        Effect.flatMap(studentOfRequest, (student) => Effect.map(posts.create(student, params.spaceId, payload), data)),
      get: ({ params }) =>
        Effect.flatMap(studentOfRequest, (student) => Effect.map(posts.get(student, params.postId), data)),
      update: ({ params, payload }) =>
        Effect.flatMap(studentOfRequest, (student) => Effect.map(posts.patch(student, params.postId, payload), data)),
      remove: ({ params }) => Effect.flatMap(studentOfRequest, (student) => posts.remove(student, params.postId))
    })
  })
)

/** Answers the routes of `ClassroomCommunityApi`. */
export const ClassroomCommunityHttp = group(
  versioned(ClassroomCommunityApi),
  "classroomCommunity",
  Effect.fn(function*(handlers) {
    const communities = yield* ClassroomCommunities
    const spaces = yield* ClassroomSpaces
    return handlers.handleAll({
      read: () => Effect.flatMap(studentOfRequest, (student) => Effect.map(communities.read(student), data)),
      spaces: () => Effect.flatMap(studentOfRequest, (student) => Effect.map(spaces.list(student), whole)),
      see: ({ params }) => Effect.flatMap(studentOfRequest, (student) => spaces.see(student, params.spaceId))
    })
  })
)
