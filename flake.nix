{
  description = "Turma: the API of a learning community";

  # The same revision as in flake.lock. To move it: change it here, then `nix flake lock`.
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/044bfe75bfe4c7bbe043dc17b5e42ea823b84a09";

  outputs =
    { nixpkgs, ... }:
    let
      forEachSystem =
        outputsOf:
        nixpkgs.lib.genAttrs [ "x86_64-linux" "aarch64-linux" "aarch64-darwin" ] (
          system: outputsOf nixpkgs.legacyPackages.${system}
        );

      # npm keeps the packages, so the service runs from a checkout. On NixOS the PostgreSQL that npm brings does not
      # start: set DATABASE_URL and APP_SECRET_KEY there.
      serve =
        pkgs:
        pkgs.writeShellApplication {
          name = "turma";
          runtimeInputs = [ pkgs.nodejs_24 ];
          text = ''
            if [[ ! -f src/main.ts || ! -f package-lock.json ]]; then
              echo "turma: run this in a checkout of the project, the folder that holds package-lock.json and src/main.ts." >&2
              exit 2
            fi
            if [[ ! -d node_modules ]]; then
              npm ci
            fi
            MALLOC_ARENA_MAX=1 exec node --max-semi-space-size=8 --heap-growing-percent=100 --no-allocation-site-pretenuring --no-parallel-scavenge src/cli/run.js
          '';
        };
    in
    {
      devShells = forEachSystem (pkgs: {
        default = pkgs.mkShell {
          packages = [
            pkgs.nodejs_24
            pkgs.postgresql_18
            pkgs.redis
            pkgs.openssl
          ];
        };
      });

      packages = forEachSystem (pkgs: { default = serve pkgs; });

      apps = forEachSystem (pkgs: {
        default = {
          type = "app";
          program = "${serve pkgs}/bin/turma";
          meta.description = "Starts the service from the checkout in the working folder";
        };
      });
    };
}
