package interp_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"gotorch/interp"
)

// goNames are names of Go's in a sentence that help shows.
var goNames = regexp.MustCompile(
	`\b(?:autograd|nn|optim|data|distributions|inits|visualize|opt)\.[A-Z]\w*|\bx\.[A-Z]\w*_?`)

// TestTorchNames asks for every public name of PyTorch 1.13, as its modules list them: the answer is Go's counterpart,
// or a sentence. What a sentence names exists.
func TestTorchNames(t *testing.T) {
	text, err := os.ReadFile("testdata/torch_names.txt")
	if err != nil {
		t.Fatal(err)
	}
	s := interp.New(interp.Options{})
	defer s.Close()
	if _, err := s.Eval(t.Context(), "x := Ones(2)", nil); err != nil {
		t.Fatal(err)
	}
	names, said := 0, map[string]bool{}
	for line := range strings.Lines(string(text)) {
		module, list, _ := strings.Cut(line, ":")
		for _, name := range strings.Fields(list) {
			names++
			full := module + "." + name
			help, ok := s.Inspect(full, len(full), false)
			if !ok {
				t.Errorf("?%s: nothing is known", full)
				continue
			}
			if help.Sig == "" && (!strings.HasPrefix(help.Doc, full+" ") || !strings.HasSuffix(help.Doc, ".")) &&
				!strings.Contains(help.Doc, full+" here: ") {
				t.Errorf("?%s: %q is no sentence about it", full, help.Doc)
			}
			if help.Sig != "" {
				continue
			}
			for _, goName := range goNames.FindAllString(strings.ReplaceAll(help.Doc, full, ""), -1) {
				if !said[goName] {
					said[goName] = true
					if _, ok := s.Inspect(goName, len(goName), false); !ok {
						t.Errorf("?%s: there is no %s", full, goName)
					}
				}
			}
		}
	}
	if names < 2300 {
		t.Errorf("only %d names are listed", names)
	}
}

// TestTorchNamesAreRight holds some answers against what the names are.
func TestTorchNamesAreRight(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	for full, want := range map[string]string{
		"torch.sum":                          "func Sum(",
		"torch.Tensor.view":                  "func (x *Tensor) View(",
		"torch.nn.functional.relu":           "func Relu(",
		"torch.nn.Conv2d":                    "func nn.NewConv2d(",
		"torch.nn.ReLU":                      "nn.ReLU",
		"torch.nn.MSELoss":                   "nn.MSELoss",
		"torch.optim.Adam":                   "func optim.NewAdam(",
		"torch.optim.lr_scheduler.StepLR":    "func optim.Step(",
		"torch.autograd.functional.jacobian": "func autograd.Jacobian(",
		"torch.special.expit":                "func Sigmoid(",
		"torch.special.i0e":                  "func SpecialI0e(",
		"torch.linalg.svd":                   "func LinalgSvd(",
		"torch.fft.rfft":                     "func FftRfft(",
		"torch.distributions.Normal":         "func distributions.NewNormal(",
		"torch.nn.init.xavier_uniform_":      "func inits.XavierUniform_(",
		"torch.Any":                          "Python's types",
		"torch.cuda.is_available":            "is for GPUs",
		"torch.nn.utils.clip_grad_norm_":     "func optim.ClipGradNorm_(",
		"torch.view_copy":                    "and then Clone",
		"torch.Tensor.numpy":                 "Data[float32](x)",
		"torch.float32":                      "Float32",
		"torch.utils.data.DataLoader":        "data.Loader(",
	} {
		help, _ := s.Inspect(full, len(full), false)
		if text := help.Sig + "\n" + help.Doc; !strings.Contains(text, want) {
			t.Errorf("?%s: no %q in\n%.300s", full, want, text)
		}
	}
	if _, ok := s.Inspect("torch.no_such_name", len("torch.no_such_name"), false); ok {
		t.Error("something is known of torch.no_such_name")
	}
}
