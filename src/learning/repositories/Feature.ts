import { Layer } from "effect"
import { ClassroomRepositories } from "./ClassroomRepositories.ts"
import { ClassroomRepositoriesHttp, RepositoriesHttp } from "./Http.ts"
import { Repositories } from "./Repositories.ts"
import { RepositoryFiles } from "./RepositoryFiles.ts"
import { repositoryItems } from "./RepositoryItems.ts"

/** Files to download. */
export const repositories = {
  services: Layer.mergeAll(ClassroomRepositories.layer, Repositories.layer, RepositoryFiles.layer),
  routes: Layer.merge(ClassroomRepositoriesHttp, RepositoriesHttp),
  workers: Layer.empty,
  deliveryItem: repositoryItems
}
