package main

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// service is a service in the compose file.
type service struct {
	Image       string
	Build       struct{ Context, Dockerfile string }
	Environment map[string]string
	Profiles    []string
	Command     []string
	Entrypoint  []string
	Ports       []string
	Volumes     []string
	DependsOn   map[string]struct{ Condition string } `yaml:"depends_on"`
	Healthcheck struct {
		Test     []string
		Interval string
		Retries  int
	}
	Deploy  struct{ Replicas int }
	Restart string
	Grace   string `yaml:"stop_grace_period"`
	Stdin   bool   `yaml:"stdin_open"`
	TTY     bool   `yaml:"tty"`
}

// TestCompose checks that the containers run valid commands, that everything they need exists, and that only this machine
// can connect to them.
func TestCompose(t *testing.T) {
	file, err := os.Open("../compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var compose struct {
		Name     string
		Services map[string]service
		Volumes  map[string]struct{}
		Shared   map[string]yaml.Node `yaml:",inline"`
	}
	decoder := yaml.NewDecoder(file)
	decoder.KnownFields(true)
	if err := decoder.Decode(&compose); err != nil {
		t.Fatal(err)
	}
	for name := range compose.Shared {
		if !strings.HasPrefix(name, "x-") {
			t.Errorf("%s is nothing that Compose knows", name)
		}
	}
	for name, s := range compose.Services {
		t.Run(name, func(t *testing.T) {
			for needed, how := range s.DependsOn {
				other, there := compose.Services[needed]
				if !there || how.Condition == "service_healthy" && len(other.Healthcheck.Test) < 2 {
					t.Errorf("nobody knows whether %s is healthy", needed)
				}
			}
			for _, volume := range s.Volumes {
				if _, there := compose.Volumes[strings.Split(volume, ":")[0]]; !there {
					t.Errorf("there is no volume of %s", volume)
				}
			}
			for _, port := range s.Ports {
				if !strings.HasPrefix(port, "127.0.0.1:") {
					t.Errorf("port %s is open to all", port)
				}
			}
			if s.Build.Context == "" {
				if !regexp.MustCompile(`:\d+\.\d+(\.\d+)?$`).MatchString(s.Image) {
					t.Errorf("image %s is of no version", s.Image)
				}
				return
			}
			if _, err := os.Stat("../" + s.Build.Context + "/" + s.Build.Dockerfile); err != nil {
				t.Error(err)
			}
			carriesOut(t, s, slices.Sorted(maps.Keys(s.DependsOn)), compose.Services["postgres"].Environment)
		})
	}
}

// carriesOut checks that a container runs a valid command with the service that it needs. The command
// must fail because it cannot reach that service, not because of incorrect usage.
func carriesOut(t *testing.T, s service, needs []string, env map[string]string) {
	args := s.Command
	if len(s.Entrypoint) > 0 {
		if s.Entrypoint[0] != "/desk" {
			t.Errorf("%s is not what is in the image", s.Entrypoint[0])
		}
		args = append(slices.Clone(s.Entrypoint[1:]), vpn) // the request that users append
	}
	url := "postgres://" + env["POSTGRES_USER"] + ":" + env["POSTGRES_PASSWORD"] + "@postgres/" + env["POSTGRES_DB"]
	at, here := map[string]string{"postgres": url, "temporal": "temporal:7233"}, map[string]string{url: "postgres:///none?host=/nowhere", "temporal:7233": "127.0.0.1:1", "/tickets": t.TempDir()}
	if len(needs) != 1 || !slices.Contains(args, at[needs[0]]) {
		t.Errorf("%q is not at %v", args, needs)
	}
	for i, arg := range args {
		if instead, there := here[arg]; there {
			args[i] = instead
		}
	}
	command(t, 1, "/nowhere|127.0.0.1:1: connect: connection refused", args...) // status 2 would mean incorrect usage
}
