import { Layer } from "effect"
import { ClassroomCommunities } from "./ClassroomCommunities.ts"
import { ClassroomSpaces } from "./ClassroomSpaces.ts"
import { Communities } from "./Communities.ts"
import { communityItems } from "./CommunityItems.ts"
import { communityOpening } from "./CommunityOpening.ts"
import { ClassroomCommunityHttp, ClassroomPostsHttp, CommunityHttp, PostsHttp } from "./Http.ts"
import { ClassroomPeople } from "./people/ClassroomPeople.ts"
import { ClassroomPeopleHttp } from "./people/Http.ts"
import { Posts } from "./Posts.ts"
import { postsEraser } from "./PostsEraser.ts"

/** The community, its spaces and posts, and the people to mention. */
export const community = {
  services: Layer.mergeAll(
    ClassroomCommunities.layer,
    ClassroomPeople.layer,
    ClassroomSpaces.layer,
    Communities.layer,
    Posts.layer
  ),
  routes: Layer.mergeAll(ClassroomCommunityHttp, ClassroomPeopleHttp, ClassroomPostsHttp, CommunityHttp, PostsHttp),
  workers: Layer.empty,
  opening: communityOpening,
  erasers: [postsEraser],
  deliveryItem: communityItems
}
