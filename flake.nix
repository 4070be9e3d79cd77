{
  description = "Turma: the API of a learning community";

  # The same revision as in flake.lock. To move it: change it here, then `nix flake lock`.
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/044bfe75bfe4c7bbe043dc17b5e42ea823b84a09";

  outputs =
    { self, nixpkgs, ... }:
    let
      forEachSystem =
        outputsOf:
        nixpkgs.lib.genAttrs [ "x86_64-linux" "aarch64-linux" "aarch64-darwin" ] (
          system: outputsOf nixpkgs.legacyPackages.${system}
        );
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

      packages = forEachSystem (pkgs: {
        default = pkgs.callPackage ./deploy/nix/package.nix { };
      });

      apps = forEachSystem (pkgs: {
        default = {
          type = "app";
          program = "${self.packages.${pkgs.stdenv.hostPlatform.system}.default}/bin/turma";
          meta.description = "Starts the service in the working folder; on NixOS with DATABASE_URL and APP_SECRET_KEY";
        };
      });

      nixosModules.default = import ./deploy/nix/module.nix (system: self.packages.${system}.default);
    };
}
