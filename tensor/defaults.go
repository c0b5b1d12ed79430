package tensor

import "sync/atomic"

var (
	defaultDtype  atomic.Uint32
	defaultDevice atomic.Uint32
)

func init() {
	defaultDtype.Store(uint32(Float32))
	SetDefaultDevice(CPU)
}

// DefaultDtype is the dtype of factories and of numbers with a fraction: float32 unless it was set.
func DefaultDtype() Dtype { return Dtype(defaultDtype.Load()) }

// SetDefaultDtype sets it for the whole process. Only floating point dtypes can be the default.
func SetDefaultDtype(d Dtype) {
	if !d.IsFloatingPoint() {
		panic(Errorf("set_default_dtype", "only floating point dtypes can be the default, not %s", d))
	}
	defaultDtype.Store(uint32(d))
}

// DefaultDevice is where factories make tensors: that of the innermost OnDevice, else the process's.
func DefaultDevice() Device {
	if s := CurrentScope(); s != nil && s.Device.kind != noDevice {
		return s.Device
	}
	v := defaultDevice.Load()
	return Device{deviceKind(v >> 8), uint8(v)}
}

// SetDefaultDevice sets it for the whole process.
func SetDefaultDevice(d Device) { defaultDevice.Store(uint32(d.kind)<<8 | uint32(d.index)) }
