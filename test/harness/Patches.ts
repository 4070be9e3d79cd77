/** What the test of a patch says once a package needs the patch no more. */
export const removable = (patch: string): string =>
  `The package does this itself now: remove src/platform/patches/${patch}.ts`
